import { InvalidRecordError, showValue, type RecordPlace } from "../../errors/index.ts";
import type { JsonObject, Step, Trajectory } from "../../schema/index.ts";
import type { ChatMessage } from "../chat/chat-message.ts";
import { chatTurns, firstQuestion } from "../chat/chat-turns.ts";
import { foreignTrajectory } from "../foreign-run.ts";
import { costOf, foreignStep } from "../foreign-step.ts";
import { importJson, parseImportLine, type ImportLine, type ImportLines } from "../import-line.ts";
import { createImportRun, type ImportLog, type ImportRun } from "../import-run.ts";
import { StateChain } from "../state-chain.ts";
import { uniqueIds, type UniqueIds } from "../unique-ids.ts";
import { atifMessages, resultsElsewhere } from "./atif-messages.ts";
import { atifRecord, type AtifRecord, type AtifStep } from "./atif-record.ts";

export interface AtifOptions {
  /** The task's question. Default: the first thing the user says. */
  question?: string;
}

/** Trajectories inside trajectories are read to this depth. */
const MOST_DEPTH = 16;

/**
 * Trajectories in the Agent Trajectory Interchange Format (ATIF 1.x, as Harbor and Terminal-Bench write them), one
 * a document or a list of them. A step is a step of the agent: reasoning, message, tool calls and the results
 * that came back, with what system and user say before its next step; its type is the tools' names, or
 * `respond`. Embedded trajectories of subagents become trajectories of their own.
 *
 * Steps marked as copied context open the run and are no steps of it. Metrics give tokens; notes, extras, rewards
 * in them, log-probabilities and token ids are in no state and not kept.
 *
 * Warnings: `copied_context`, `continued_elsewhere`, `result_elsewhere` for a result kept in another file,
 * `unknown_source`, `no_question`, `no_steps`, `no_candidates`, `repeated_id`,
 * `repeated_record`.
 *
 * @throws InvalidRecordError for a document of another shape, `unknown_schema_version` for another version
 */
export function importAtif(documents: ImportLines, options: AtifOptions = {}): ImportRun {
  return createImportRun("atif", (log) => generate(documents, options, log));
}

async function* generate(
  documents: ImportLines,
  options: AtifOptions,
  log: ImportLog,
): AsyncGenerator<Trajectory> {
  const unique = uniqueIds(log);
  for await (const line of documents) {
    const json = importJson(line);
    for (const document of Array.isArray(json) ? json : [json]) {
      log.read();
      yield* withSubagents({ place: line.place, json: document }, undefined, options, unique, log, 0);
    }
  }
}

function* withSubagents(
  line: ImportLine,
  parent: string | undefined,
  options: AtifOptions,
  unique: UniqueIds,
  log: ImportLog,
  depth: number,
): Generator<Trajectory> {
  const { place } = line;
  const record = parseImportLine(line, atifRecord);
  if (!/^(?:ATIF-)?v?1(?:\.|$)/i.test(record.schema_version)) {
    const problem = `must be a version 1 of ATIF, got ${showValue(record.schema_version)}`;
    throw new InvalidRecordError(place, "schema_version", problem, { code: "unknown_schema_version" });
  }
  const own = record.trajectory_id || record.session_id || `line-${place.line}`;
  const id = unique(parent === undefined ? `atif/${own}` : `${parent}/${own}`, place, record);
  if (id === undefined) return;
  yield trajectoryOf(record, id, parent, options, place, log);
  if (depth >= MOST_DEPTH) return;
  for (const inner of record.subagent_trajectories ?? []) {
    yield* withSubagents({ place, json: inner }, id, {}, unique, log, depth + 1);
  }
}

function trajectoryOf(
  record: AtifRecord,
  id: string,
  parent: string | undefined,
  options: AtifOptions,
  place: RecordPlace,
  log: ImportLog,
): Trajectory {
  tellLosses(record, id, place, log);
  const messages: ChatMessage[] = [];
  const places: number[] = [];
  for (const [at, step] of record.steps.entries()) {
    for (const message of atifMessages(step)) {
      messages.push(message);
      places.push(at);
    }
  }
  const stepAt = (index: number): AtifStep => record.steps[places[index]!]!;
  const question = options.question ?? firstQuestion(messages);
  const isTurn = (index: number): boolean => stepAt(index).is_copied_context !== true;
  const { opening, turns } = chatTurns(messages, question, isTurn);
  const chain = StateChain.of(opening);
  const steps = turns.map(({ index, type, calls, blocks }, at): Step => {
    const cost = costOf({ ...tokens(stepAt(index).metrics), tool_calls: calls });
    // The format numbers its steps from 1, without gaps.
    const stepId = `step-${places[index]! + 1}`;
    return foreignStep({ stepId, index: at, type, cost }, chain.add(blocks), chain);
  });
  const { agent } = record;
  return foreignTrajectory(
    {
      id,
      adapter: "atif",
      question,
      chain,
      steps,
      origin: { source: "messages", fidelity: "reconstructed" },
      metadata: {
        ...textsOf(agent ?? {}, { name: "agent", version: "agent_version", model_name: "model" }),
        schema: record.schema_version,
        ...(parent !== undefined && { parent_trajectory: parent }),
      },
    },
    place,
    log,
  );
}

function tellLosses(record: AtifRecord, id: string, place: RecordPlace, log: ImportLog): void {
  const copied = record.steps.filter(({ is_copied_context: is }) => is === true).length;
  if (copied > 0) log.warn("copied_context", `${id}: ${copied} steps of another run open this one`, place);
  if (record.continued_trajectory_ref) {
    log.warn("continued_elsewhere", `${id}: goes on in another file, which is a run of its own here`, place);
  }
  const missing = record.steps.reduce((sum, step) => sum + resultsElsewhere(step), 0);
  if (missing > 0) {
    log.warn(
      "result_elsewhere",
      `${id}: ${missing} results are kept in other trajectories; no state has them`,
      place,
    );
  }
  const odd = record.steps.filter(({ source }) => !["system", "user", "agent"].includes(source)).length;
  if (odd > 0) {
    log.warn(
      "unknown_source",
      `${id}: ${odd} steps are by neither system, user nor agent; they are context`,
      place,
    );
  }
}

function tokens(metrics: AtifStep["metrics"]): Record<string, unknown> {
  return { prompt_tokens: metrics?.["prompt_tokens"], completion_tokens: metrics?.["completion_tokens"] };
}

function textsOf(
  object: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
): JsonObject {
  const kept: JsonObject = {};
  for (const [from, to] of Object.entries(names)) {
    const value = object[from];
    if (typeof value === "string" && value !== "") kept[to] = value;
  }
  return kept;
}
