import {
  stateSha256,
  type Block,
  type BlockState,
  type CloseRecord,
  type LiveRecord,
  type OpenRecord,
  type State,
  type StepRecord,
} from "@agent-step-value/sdk";
import type { AnswerRef, RunSource, StateEdit, StepSource, Topic } from "./runs/run-source.ts";

const NONE_OF_THE_ABOVE = { id: "none-of-the-above", text: "none of the above is supported" };

/** Every record of the data set in file order: topics in turn, the runs of a concurrent topic alternating. */
export function liveRecords(topics: readonly Topic[]): LiveRecord[] {
  return topics.flatMap((topic) => {
    const runs = topic.runs.map((run) => recordsOfRun(run, topic.name));
    return topic.concurrent ? alternate(runs) : runs.flat();
  });
}

/** Open, step and close records of one run, in the order in which they happened. */
function recordsOfRun(run: RunSource, topic: string): LiveRecord[] {
  const records: LiveRecord[] = [openRecord(run, topic)];
  let blocks: Block[] = [{ kind: "task", text: run.question }];
  run.steps.forEach((step, index) => {
    const before = step.meanwhile === undefined ? blocks : edited(blocks, step.meanwhile, run.id);
    const after = edited(before, step, run.id);
    records.push(stepRecord(run.id, step, index, before, after));
    blocks = after;
  });
  if (run.answered !== undefined) records.push(closeRecord(run, run.answered));
  return records;
}

function openRecord(run: RunSource, topic: string): OpenRecord {
  const concrete = run.candidates.map((text, place) => ({ id: `cand-${place + 1}`, text }));
  return {
    record: "open",
    trajectoryId: run.id,
    sourceAdapter: "quickstart",
    metadata: { topic, origin: "invented" },
    task: {
      taskId: `${topic}/${run.id}`,
      question: run.question,
      taskType: "open_qa_candidate_set",
      domain: topic,
      goldVisibleToEvaluator: false,
      goldUsedOnlyForValidation: true,
      candidateSpace: {
        type: "candidate_set",
        candidates: [...concrete, NONE_OF_THE_ABOVE],
        goldCandidateId: candidateId(run.target),
      },
    },
  };
}

function stepRecord(
  trajectoryId: string,
  source: StepSource,
  index: number,
  before: readonly Block[],
  after: readonly Block[],
): StepRecord {
  const { type, query, put = [], drop = [], mark, meanwhile } = source;
  const stateBefore = asState(before);
  const stateAfter = asState(after);
  const interrupted = meanwhile !== undefined;
  return {
    record: "step",
    trajectoryId,
    step: {
      stepId: `${String(index + 1).padStart(2, "0")}-${type}`,
      index,
      action: { type, ...(query !== undefined && { query }) },
      observation: { wrote: put.map(({ name }) => name), removed: [...drop] },
      ...((index === 0 || interrupted) && { stateBefore }),
      stateAfter,
      cost: {
        prompt_tokens: estimatedTokens(before),
        completion_tokens: estimatedTokens(put),
        tool_calls: query === undefined ? 0 : 1,
      },
      qualityFlags: {},
      ...(mark && { label: mark[0], labelSource: "author", extra: { label_note: mark[1] } }),
      ...(interrupted && { discontinuity: true }),
    },
    beforeSha256: stateSha256(stateBefore),
    afterSha256: stateSha256(stateAfter),
  };
}

function closeRecord(run: RunSource, answered: AnswerRef): CloseRecord {
  return {
    record: "close",
    trajectoryId: run.id,
    status: "completed",
    success: answered === run.target,
  };
}

function candidateId(ref: AnswerRef): string {
  return ref === "none" ? NONE_OF_THE_ABOVE.id : `cand-${ref}`;
}

/** A new list of blocks; a namesake is replaced where it stands, anything else goes to the end. */
function edited(blocks: readonly Block[], edit: StateEdit, runId: string): Block[] {
  const next = [...blocks];
  for (const name of edit.drop ?? []) {
    const place = next.findIndex((block) => block.name === name);
    // A misspelt name would silently keep the evidence that the step is marked as losing.
    if (place === -1) throw new Error(`run "${runId}": nothing named "${name}" to drop`);
    next.splice(place, 1);
  }
  for (const block of edit.put ?? []) {
    const place = next.findIndex(({ name }) => name === block.name);
    next.splice(place === -1 ? next.length : place, place === -1 ? 0 : 1, { ...block });
  }
  return next;
}

function asState(blocks: readonly Block[]): State {
  const state: BlockState = { blocks: [...blocks] };
  return state as unknown as State;
}

/** Four characters a token, the usual rule of thumb; no tokenizer was run. */
function estimatedTokens(blocks: readonly { text: string }[]): number {
  return Math.ceil(blocks.reduce((sum, { text }) => sum + text.length, 0) / 4);
}

/** First record of each run, then the second of each, and so on. */
function alternate(runs: readonly LiveRecord[][]): LiveRecord[] {
  const longest = Math.max(...runs.map((records) => records.length));
  return Array.from({ length: longest }, (_, turn) =>
    runs.flatMap((records) => records.slice(turn, turn + 1)),
  ).flat();
}
