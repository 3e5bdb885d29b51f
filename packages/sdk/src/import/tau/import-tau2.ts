import { InvalidRecordError, type RecordPlace } from "../../errors/index.ts";
import { isJsonObject, type JsonObject, type Trajectory } from "../../schema/index.ts";
import { idText } from "../id-text.ts";
import { importJson, type ImportLines } from "../import-line.ts";
import { createImportRun, type ImportLog, type ImportRun } from "../import-run.ts";
import { uniqueIds } from "../unique-ids.ts";
import type { TauOptions } from "./import-tau-bench.ts";
import { saysRequiredActions, tauMessages, tauReward, tauTrajectory, type TauRun } from "./tau-run.ts";
import { agentView } from "./tau2-messages.ts";

/**
 * Simulations of tau2-bench: a results file (`{info, tasks, simulations}`), a list of simulations, or one
 * simulation a document. As {@link importTauBench}, and from the agent's side: the user's own tool calls are in
 * no state.
 *
 * `reward_info.reward` becomes final score and success; reviews, checks and evaluation criteria are in
 * no state and not kept.
 *
 * Warnings: those of {@link importTauBench}, `user_tools_hidden`, and `speech_merged` for a spoken simulation.
 *
 * @throws InvalidRecordError for a document that is none of these
 */
export function importTau2(documents: ImportLines, options: TauOptions = {}): ImportRun {
  return createImportRun("tau2", (log) => generate(documents, options, log));
}

async function* generate(
  documents: ImportLines,
  { question }: TauOptions,
  log: ImportLog,
): AsyncGenerator<Trajectory> {
  const unique = uniqueIds(log);
  for await (const line of documents) {
    const { place } = line;
    const { list, path, domain, tasks } = simulationsOf(importJson(line), place);
    for (const [i, simulation] of list.entries()) {
      log.read();
      const own = path === "" ? "" : `${path}[${i}]`;
      if (!isSimulation(simulation)) {
        throw new InvalidRecordError(place, own, "must be a simulation with task_id and messages");
      }
      const taskId = idText(simulation["task_id"])!;
      const task = domain === undefined ? taskId : `${domain}/${taskId}`;
      const id = unique(`tau2/${task}/${idOf(simulation)}`, place, simulation);
      if (id === undefined) continue;
      if (saysRequiredActions(tasks.get(taskId))) {
        log.warn(
          "gold_refused",
          `${id}: evaluation criteria are the answer key; they are in no state`,
          place,
        );
      }
      yield tauTrajectory(runOf(simulation, id, task, domain, question, place, log), place, log);
    }
  }
}

function runOf(
  simulation: JsonObject,
  id: string,
  task: string,
  domain: string | undefined,
  question: string | undefined,
  place: RecordPlace,
  log: ImportLog,
): TauRun {
  const { messages, hidden, merged } = agentView(simulation);
  if (hidden > 0)
    log.warn("user_tools_hidden", `${id}: ${hidden} tool calls of the user are in no state`, place);
  if (merged) log.warn("speech_merged", `${id}: pieces of speech were put together`, place);
  const info = simulation["reward_info"];
  const reward = tauReward(isJsonObject(info) ? info["reward"] : undefined);
  if (reward === undefined) log.warn("no_reward", `${id}: says nothing about its outcome`, place);
  const ended = simulation["termination_reason"];
  return {
    id,
    adapter: "tau2",
    taskId: `tau2/${task}`,
    ...(domain !== undefined && { domain }),
    messages: tauMessages(messages, id, place, log),
    question,
    reward,
    metadata: typeof ended === "string" ? { termination_reason: ended } : {},
  };
}

interface Simulations {
  list: readonly unknown[];
  path: string;
  domain?: string | undefined;
  tasks: Map<string, unknown>;
}

function simulationsOf(json: unknown, place: RecordPlace): Simulations {
  const tasks = new Map<string, unknown>();
  if (Array.isArray(json)) return { list: json, path: "", tasks };
  if (!isJsonObject(json))
    throw new InvalidRecordError(place, "", "must be a tau2 results file or a simulation");
  if (json["simulations"] === undefined) return { list: [json], path: "", tasks };
  if (!Array.isArray(json["simulations"])) {
    throw new InvalidRecordError(place, "simulations", "must be a list of simulations");
  }
  for (const task of Array.isArray(json["tasks"]) ? json["tasks"] : []) {
    const id = isJsonObject(task) ? idText(task["id"]) : undefined;
    if (id !== undefined) tasks.set(id, task);
  }
  const info = isJsonObject(json["info"]) ? json["info"]["environment_info"] : undefined;
  const domain = isJsonObject(info) ? info["domain_name"] : undefined;
  return {
    list: json["simulations"],
    path: "simulations",
    domain: typeof domain === "string" && domain !== "" ? domain : undefined,
    tasks,
  };
}

function isSimulation(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const { task_id: task, messages, ticks } = value;
  return (
    (typeof task === "string" || typeof task === "number") &&
    (Array.isArray(messages) || Array.isArray(ticks))
  );
}

/** Trials of one task differ by their number, or else by the simulation's own id. */
function idOf({ trial, id }: JsonObject): string {
  return typeof trial === "number" ? String(trial) : typeof id === "string" && id !== "" ? id : "0";
}
