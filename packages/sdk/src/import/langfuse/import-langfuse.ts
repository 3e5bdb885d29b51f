import { AsvError, type RecordPlace } from "../../errors/index.ts";
import type { JsonObject, Trajectory } from "../../schema/index.ts";
import { foreignTrajectory } from "../foreign-run.ts";
import { importJson, type ImportLines } from "../import-line.ts";
import { createImportRun, type ImportLog, type ImportRun } from "../import-run.ts";
import { uniqueIds, type UniqueIds } from "../unique-ids.ts";
import { distinctObservations } from "./distinct-observations.ts";
import { readDocument, type LangfuseTrace } from "./langfuse-document.ts";
import { LangfuseStates } from "./langfuse-states.ts";
import { field, isStripped } from "./observation.ts";
import { observationRoles, type ObservationRoles } from "./observation-roles.ts";
import { observationTree, type ObservationTree } from "./observation-tree.ts";
import { inOrder } from "./step-order.ts";
import { traceQuestion } from "./trace-question.ts";

export interface LangfuseOptions {
  /** The task's question. Default: what the trace's input asks. */
  question?: string;
}

/** Rows of a table export are kept until all are read, since a trace's rows may stand anywhere. */
const MOST_ROWS = 500_000;

/**
 * Traces exported from Langfuse: `{trace, observations}`, a trace as its API gives it, a list of these, or
 * observations alone (a list, a page of the API, or one a line). A step is a model call (GENERATION) or a tool
 * call (TOOL, RETRIEVER, or a SPAN that is one); its type is the graph's node or the observation's name. Order is
 * by time, then by parent, then by place in the file.
 *
 * The before-state of a model call is its recorded input, the after-state has its output too. Where inputs hold
 * only the newest results or nothing readable, states are accumulated from outputs. Metadata, resource
 * attributes, keys, scores and evaluators' observations are in no state and not kept.
 *
 * Warnings: `scores_refused`, `evaluation_refused`, `wrapper_folded`, `steps_from_spans`, `input_unreadable`,
 * `input_partial`, `no_output`, `missing_parent`, `parent_cycle`, `no_time`, `duplicate_observation`,
 * `bad_observation`, `stripped_observations`, `no_question`, `no_steps`, `no_candidates`, `repeated_id`,
 * `repeated_record`.
 *
 * @throws InvalidRecordError for a document of another shape
 */
export function importLangfuse(documents: ImportLines, options: LangfuseOptions = {}): ImportRun {
  return createImportRun("langfuse", (log) => generate(documents, options, log));
}

async function* generate(
  documents: ImportLines,
  options: LangfuseOptions,
  log: ImportLog,
): AsyncGenerator<Trajectory> {
  const unique = uniqueIds(log);
  const rows = new Map<string, { place: RecordPlace; observations: JsonObject[] }>();
  let held = 0;
  for await (const line of documents) {
    const { place } = line;
    const document = readDocument(importJson(line), place);
    log.read(document.traces.length + document.rows.length);
    for (const trace of document.traces) yield* trajectoriesOf(trace, options, unique, place, log);
    for (const row of document.rows) {
      const id = String(field(row, "traceId"));
      const group = rows.get(id) ?? { place, observations: [] };
      rows.set(id, group);
      group.observations.push(row);
      if (++held > MOST_ROWS) tooMany(place);
    }
  }
  for (const [id, { place, observations }] of rows) {
    rows.delete(id);
    yield* trajectoriesOf({ trace: { id }, observations }, options, unique, place, log);
  }
}

function tooMany({ source }: RecordPlace): never {
  const message = `${source}: more than ${MOST_ROWS} observations without their traces; export fewer at a time, or traces.`;
  throw new AsvError("invalid_argument", message, { source });
}

function* trajectoriesOf(
  found: LangfuseTrace,
  options: LangfuseOptions,
  unique: UniqueIds,
  place: RecordPlace,
  log: ImportLog,
): Generator<Trajectory> {
  const { trace } = found;
  const traceId = field(trace, "id");
  const name = typeof traceId === "string" && traceId !== "" ? traceId : `line-${place.line}`;
  const environment = field(trace, "environment");
  if (typeof environment === "string" && environment.startsWith("langfuse-")) {
    log.warn("evaluation_refused", `langfuse/${name}: is the trace of an evaluator, not of an agent`, place);
    return;
  }
  const id = unique(`langfuse/${name}`, place, found);
  if (id === undefined) return;
  const observations = distinctObservations(found, id, place, log);
  const tree = observationTree(observations);
  const roles = observationRoles(tree);
  tellStructure(found, tree, roles, id, place, log);
  const steps = inOrder(roles.steps, tree);
  const question = options.question ?? traceQuestion(found, tree, steps);
  const states = new LangfuseStates(question);
  const taken = steps.map((step) => states.step(step));
  yield finished(id, question, states, taken, trace, place, log);
}

function finished(
  id: string,
  question: string,
  states: LangfuseStates,
  steps: Trajectory["steps"],
  trace: JsonObject,
  place: RecordPlace,
  log: ImportLog,
): Trajectory {
  const { unreadableInputs, partialInputs, withoutOutput } = states.losses;
  const tell = (code: string, count: number, what: string): void => {
    if (count > 0) log.warn(code, `${id}: ${count} ${what}`, place);
  };
  tell(
    "input_unreadable",
    unreadableInputs,
    "model calls whose input holds no message; states are accumulated",
  );
  tell("input_partial", partialInputs, "model calls whose input holds results alone; states are accumulated");
  tell("no_output", withoutOutput, "steps without output; their states are equal");
  const calls = steps.filter(({ extra }) => extra?.["kind"] === "llm").length;
  const recorded = calls > 0 && unreadableInputs + partialInputs === 0;
  const name = field(trace, "name");
  return foreignTrajectory(
    {
      id,
      adapter: "langfuse",
      question,
      chain: states.chain,
      steps,
      origin: recorded
        ? { source: "model_input", fidelity: "recorded" }
        : { source: "accumulated", fidelity: "reconstructed" },
      metadata: typeof name === "string" ? { trace_name: name } : {},
    },
    place,
    log,
  );
}

function tellStructure(
  { trace }: LangfuseTrace,
  tree: ObservationTree,
  roles: ObservationRoles,
  id: string,
  place: RecordPlace,
  log: ImportLog,
): void {
  const tell = (code: string, count: number, what: string): void => {
    if (count > 0) log.warn(code, `${id}: ${count} ${what}`, place);
  };
  const scores = field(trace, "scores");
  const { topDown } = tree;
  const stripped = topDown.filter(isStripped).length;
  if (stripped === topDown.length)
    tell("stripped_observations", stripped, "observations, all without content");
  tell(
    "scores_refused",
    Array.isArray(scores) ? scores.length : 0,
    "scores; they are in no state and not kept",
  );
  tell("evaluation_refused", roles.refused, "observations of evaluators; they are in no state");
  tell("wrapper_folded", roles.folded, "observations that record a call a second time");
  tell("missing_parent", tree.missingParents, "observations whose parent is not in the export");
  tell("parent_cycle", tree.cycles, "circles of parents, cut");
  const timeless = roles.steps.filter(({ observation }) => Number.isNaN(observation.start)).length;
  tell("no_time", timeless, "steps without a start time; they stand where their parent began");
  if (roles.fromSpans) {
    tell(
      "steps_from_spans",
      roles.steps.length,
      "steps are spans: the trace names no model call and no tool",
    );
  }
}
