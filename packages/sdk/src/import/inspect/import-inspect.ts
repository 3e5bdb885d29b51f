import type { RecordPlace } from "../../errors/index.ts";
import { isJsonObject, type JsonObject, type Trajectory } from "../../schema/index.ts";
import type { ChatMessage } from "../chat/chat-message.ts";
import { messageText } from "../chat/chat-message.ts";
import { chatTurns } from "../chat/chat-turns.ts";
import { readMessage } from "../chat/read-message.ts";
import { foreignTrajectory, type StateOrigin } from "../foreign-run.ts";
import { costOf, foreignStep } from "../foreign-step.ts";
import { idText } from "../id-text.ts";
import { importJson, type ImportLines } from "../import-line.ts";
import { createImportRun, type ImportLog, type ImportRun } from "../import-run.ts";
import { StateChain } from "../state-chain.ts";
import { uniqueIds, type UniqueIds } from "../unique-ids.ts";
import { attachmentsOf, type Attachments } from "./attachments.ts";
import { inspectCandidates, targetSet, type TargetSet } from "./inspect-candidates.ts";
import { readInspectDocument, type InspectDocument } from "./inspect-document.ts";
import { inspectOutcome } from "./inspect-outcome.ts";
import { InspectStates } from "./inspect-states.ts";
import { InspectTranscript, type TranscriptLosses } from "./inspect-transcript.ts";

/**
 * Eval logs of Inspect (UK AISI), version 2, as JSON: a log a document, or one sample. A sample is a trajectory and a
 * model or tool call a step, of type `generate` or the tool's name. The before-state of
 * a model call is its recorded input; changes of the task's state and store that the log records are applied.
 * A sample without events gives one step a turn of its messages.
 *
 * Candidates are the sample's choices, else the log's targets where they are a closed set; the target becomes
 * the gold candidate. Target, scores, sample metadata and whatever a scorer did are in no state. One scorer's
 * verdict becomes success, its number the final score.
 *
 * Warnings: `scorer_refused`, `no_output`, `bad_patch`, `missing_attachment`, `differs_from_messages`,
 * `no_events`, `bad_choices`, `target_without_candidates`, `no_single_target`, `no_samples`, `no_question`,
 * `no_steps`, `no_candidates`, `repeated_id`, `repeated_record`.
 *
 * @throws InvalidRecordError for a document that is neither log nor sample
 */
export function importInspect(documents: ImportLines): ImportRun {
  return createImportRun("inspect", (log) => generate(documents, log));
}

async function* generate(documents: ImportLines, log: ImportLog): AsyncGenerator<Trajectory> {
  const unique = uniqueIds(log);
  for await (const line of documents) {
    const { place } = line;
    const document = readInspectDocument(importJson(line), place);
    if (document.samples.length === 0)
      log.warn("no_samples", `${document.task}: the log holds no samples`, place);
    const targets = targetSet(document.samples);
    for (const sample of document.samples) {
      log.read();
      const trajectory = sampleTrajectory(sample, document, targets, unique, place, log);
      if (trajectory !== undefined) yield trajectory;
    }
  }
}

function sampleTrajectory(
  sample: JsonObject,
  { task, model }: InspectDocument,
  targets: TargetSet,
  unique: UniqueIds,
  place: RecordPlace,
  log: ImportLog,
): Trajectory | undefined {
  const taskId = `inspect/${task}/${idText(sample["id"])}`;
  const epoch = typeof sample["epoch"] === "number" ? sample["epoch"] : 1;
  const id = unique(epoch > 1 ? `${taskId}/${epoch}` : taskId, place, [model ?? null, sample]);
  if (id === undefined) return undefined;
  const attachments = attachmentsOf(sample);
  const input = inputOf(sample, attachments);
  const question = input.findLast(({ role }) => role === "user");
  const asked = question === undefined ? "" : messageText(question);
  const run = runOf(sample, asked, attachments, id, place, log);
  if (attachments.missing > 0) {
    log.warn(
      "missing_attachment",
      `${id}: ${attachments.missing} texts the log refers to and does not hold`,
      place,
    );
  }
  const candidateSpace = inspectCandidates(sample, targets, id, place, log);
  return foreignTrajectory(
    {
      id,
      adapter: "inspect",
      taskId,
      question: asked,
      ...(candidateSpace !== undefined && { candidateSpace, taskType: "closed_set_qa" }),
      ...run,
      metadata: { task, ...(model !== undefined && { model }), epoch },
      ...inspectOutcome(sample),
    },
    place,
    log,
  );
}

function inputOf(sample: JsonObject, attachments: Attachments): ChatMessage[] {
  const input = attachments.resolve(sample["input"] ?? "");
  if (Array.isArray(input)) return input.flatMap((message) => readMessage(message) ?? []);
  return typeof input === "string" ? [{ role: "user", parts: [{ is: "text", text: input }] }] : [];
}

function runOf(
  sample: JsonObject,
  question: string,
  attachments: Attachments,
  id: string,
  place: RecordPlace,
  log: ImportLog,
): { chain: StateChain; steps: Trajectory["steps"]; origin: StateOrigin } {
  const events = Array.isArray(sample["events"]) ? sample["events"] : [];
  const messages = listOf(attachments.resolve(sample["messages"] ?? []));
  const input = sample["input"];
  const opening = Array.isArray(input)
    ? listOf(attachments.resolve(input))
    : [{ role: "user", content: question }];
  const states = new InspectStates(question, opening);
  const transcript = new InspectTranscript(sample, states, attachments);
  transcript.read(events);
  tell(transcript.losses, id, place, log);
  if (states.steps.length > 0) {
    if (!endsAs(states, messages, question)) {
      const what = "the last state is not what the sample's own messages say";
      log.warn("differs_from_messages", `${id}: ${what}`, place);
    }
    const source = transcript.losses.stateEvents > 0 ? "state_events" : "model_input";
    return { chain: states.chain, steps: states.steps, origin: { source, fidelity: "recorded" } };
  }
  log.warn("no_events", `${id}: records no call; steps are the turns of its messages`, place);
  return turnsOf(messages, question);
}

/** True where the conversation of the last state is the sample's own, as far as the sample keeps one. */
function endsAs(states: InspectStates, messages: readonly unknown[], question: string): boolean {
  if (messages.length === 0) return true;
  const own = new InspectStates(question, messages).blocks;
  const shown = states.blocks;
  return own.length === shown.length && own.every(({ text }, i) => text === shown[i]!.text);
}

function turnsOf(
  messages: readonly unknown[],
  question: string,
): { chain: StateChain; steps: Trajectory["steps"]; origin: StateOrigin } {
  const read = messages.flatMap((message) => readMessage(message) ?? []);
  const { opening, turns } = chatTurns(read, question);
  const chain = StateChain.of(opening);
  const steps = turns.map(({ index, type, calls, blocks }, at) =>
    foreignStep(
      { stepId: `message-${index}`, index: at, type, cost: costOf({ tool_calls: calls }) },
      chain.add(blocks),
      chain,
    ),
  );
  return { chain, steps, origin: { source: "messages", fidelity: "reconstructed" } };
}

function tell(losses: TranscriptLosses, id: string, place: RecordPlace, log: ImportLog): void {
  const { scorerEvents, withoutOutput, badPatches } = losses;
  if (scorerEvents > 0) {
    log.warn(
      "scorer_refused",
      `${id}: ${scorerEvents} calls of scorers, which know the target, are no steps`,
      place,
    );
  }
  if (withoutOutput > 0)
    log.warn("no_output", `${id}: ${withoutOutput} calls failed or never came back`, place);
  if (badPatches > 0) {
    log.warn(
      "bad_patch",
      `${id}: ${badPatches} changes of state do not fit it; inputs of calls are used`,
      place,
    );
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
