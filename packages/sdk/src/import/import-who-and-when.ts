import { InvalidRecordError, type RecordPlace } from "../errors/index.ts";
import { TRAJECTORY_SCHEMA, type JsonObject, type Step, type Trajectory } from "../schema/index.ts";
import { parseImportLine, type ImportLines } from "./import-line.ts";
import { createImportRun, type ImportLog, type ImportRun } from "./import-run.ts";
import { normaliseAnswer } from "./normalise-answer.ts";
import { StateChain } from "./state-chain.ts";
import { messageBlock, speakerOf } from "./who-and-when-blocks.ts";
import { whoAndWhenCandidates, type Reference } from "./who-and-when-candidates.ts";
import { whoAndWhenRecord, type RunAnswer, type WhoAndWhenRecord } from "./who-and-when-record.ts";

export interface WhoAndWhenOptions {
  /** The runs' own answers, used as candidates. Default none. */
  answers?: Iterable<RunAnswer>;
  /** Seeds the choice of other answers and the order of candidates. Default 0. */
  seed?: number;
}

interface Log {
  place: RecordPlace;
  record: WhoAndWhenRecord;
}

/**
 * Failure logs of the Who&When data (Zhang et al., ICML 2025), one log a trajectory and one message
 * a step: before = question and the messages so far, after = with the message; the action's type is
 * the speaker.
 *
 * The human verdict "the decisive mistake is message n" becomes the label `mistake` of step n. The
 * target is the reference answer; it, the verdict, level and ids are in no state. All logs are read
 * before the first trajectory comes, since candidates are drawn from other logs of the same level.
 *
 * Warnings: `no_reference_answer`, `no_speaker`, `bad_label`, `label_speaker_differs`,
 * `answer_differs_in_form`, `few_candidates`, `repeated_id`.
 *
 * @throws InvalidRecordError for a record without question or history
 */
export function importWhoAndWhen(lines: ImportLines, options: WhoAndWhenOptions = {}): ImportRun {
  return createImportRun("who-and-when", (log) => generate(lines, options, log));
}

async function* generate(
  lines: ImportLines,
  { answers = [], seed = 0 }: WhoAndWhenOptions,
  log: ImportLog,
): AsyncGenerator<Trajectory> {
  const logs: Log[] = [];
  for await (const line of lines) {
    log.read();
    const { place } = line;
    const record = parseImportLine(line, whoAndWhenRecord);
    if (record.history.length === 0) throw new InvalidRecordError(place, "history", "holds no message");
    logs.push({ place, record });
  }
  const runAnswers = new Map([...answers].map((answer) => [answer.source_file, answer]));
  const pools = referencesByLevel(logs);
  const ids = new Map<string, number>();
  for (const { place, record } of logs) {
    let id = trajectoryIdOf(record, place);
    const seen = (ids.get(id) ?? 0) + 1;
    ids.set(id, seen);
    if (seen > 1) {
      log.warn("repeated_id", `${id} occurs again and is called ${id}-${seen}`, place);
      id = `${id}-${seen}`;
    }
    const own = ownAnswer(record, runAnswers, place, log);
    yield trajectoryOf({ place, record }, id, own, pools.get(record.level ?? "") ?? [], seed, log);
  }
}

function referencesByLevel(logs: readonly Log[]): Map<string, Reference[]> {
  const pools = new Map<string, Reference[]>();
  for (const { record } of logs) {
    if (record.ground_truth == null) continue;
    const level = record.level ?? "";
    const pool = pools.get(level) ?? [];
    pools.set(level, pool);
    pool.push({ question: record.question, answer: record.ground_truth });
  }
  return pools;
}

/** `who-and-when/12` for Algorithm-Generated/12.json, `who-and-when/hand-crafted/12` for the other half. */
function trajectoryIdOf(record: WhoAndWhenRecord, place: RecordPlace): string {
  const [file = "", folder = ""] = (record.source_file ?? place.source).split(/[/\\]/).reverse();
  if (!file.endsWith(".json")) return `who-and-when/line-${place.line}`;
  const half = folder.toLowerCase() === "hand-crafted" ? "hand-crafted/" : "";
  return `who-and-when/${half}${file.slice(0, -".json".length)}`;
}

/** The run's own answer where it is a wrong answer of its own, and not the right one in another form. */
function ownAnswer(
  record: WhoAndWhenRecord,
  answers: ReadonlyMap<string, RunAnswer>,
  place: RecordPlace,
  log: ImportLog,
): string | undefined {
  const found = record.source_file === undefined ? undefined : answers.get(record.source_file);
  if (found === undefined || found.run_answer === null) return undefined;
  const equal = normaliseAnswer(found.run_answer) === normaliseAnswer(record.ground_truth ?? "");
  if (!equal && found.note === undefined) return found.run_answer;
  log.warn(
    "answer_differs_in_form",
    "the run's answer is the reference in another form; not a candidate",
    place,
  );
  return undefined;
}

function trajectoryOf(
  { place, record }: Log,
  trajectoryId: string,
  runAnswer: string | undefined,
  pool: readonly Reference[],
  seed: number,
  log: ImportLog,
): Trajectory {
  const { question, ground_truth: answer, level } = record;
  if (answer == null) log.warn("no_reference_answer", "no ground_truth: no candidates, no target", place);
  const candidateSpace =
    answer == null
      ? { type: "candidate_set", candidates: [], labelSource: "who-and-when" }
      : whoAndWhenCandidates({ question, answer }, runAnswer, pool, seed);
  if (answer != null && candidateSpace.candidates.length < 4) {
    log.warn("few_candidates", "fewer than two other answers of the same level to draw from", place);
  }
  const chain = new StateChain({ kind: "task", text: question });
  const steps = stepsOf(record, chain, place, log);
  const success = record.is_correct ?? record.is_corrected;
  return {
    schemaVersion: TRAJECTORY_SCHEMA,
    trajectoryId,
    sourceAdapter: "who-and-when",
    metadata: metadataOf(record),
    ...(success == null ? {} : { success }),
    task: {
      taskId: trajectoryId,
      question,
      taskType: "open_qa_candidate_set",
      ...(level == null ? {} : { difficulty: level }),
      goldVisibleToEvaluator: false,
      goldUsedOnlyForValidation: true,
      candidateSpace,
    },
    steps,
    redaction: chain.redaction,
  };
}

function stepsOf(record: WhoAndWhenRecord, chain: StateChain, place: RecordPlace, log: ImportLog): Step[] {
  const mistake = mistakeStep(record, place, log);
  return record.history.map((message, index): Step => {
    const speaker = speakerOf(message);
    if (speaker === undefined) log.warn("no_speaker", `message ${index} has neither name nor role`, place);
    return {
      stepId: `message-${index}`,
      index,
      action: { type: speaker ?? "unknown" },
      observation: {},
      ...chain.append(messageBlock(message, index, speaker ?? "unknown")),
      cost: {},
      ...(index === mistake ? { label: "mistake", labelSource: "who-and-when" } : {}),
      qualityFlags: {},
    };
  });
}

/** The labelled message as a number; the data has it as text. */
function mistakeStep(record: WhoAndWhenRecord, place: RecordPlace, log: ImportLog): number | undefined {
  const { mistake_step: text, mistake_agent: agent, history } = record;
  if (text == null) return undefined;
  const index = /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
  const message = history[index];
  if (message === undefined) {
    log.warn("bad_label", `mistake_step is not one of the ${history.length} messages`, place);
    return undefined;
  }
  if (agent != null && speakerOf(message) !== agent) {
    log.warn("label_speaker_differs", `message ${index} is not by the agent held responsible`, place);
  }
  return index;
}

/** Kept for the owner of the file; never part of a state. */
function metadataOf(record: WhoAndWhenRecord): JsonObject {
  const kept: JsonObject = {};
  for (const key of ["source_file", "question_ID", "mistake_agent", "mistake_reason"] as const) {
    const value = record[key];
    if (value != null) kept[key] = value;
  }
  return kept;
}
