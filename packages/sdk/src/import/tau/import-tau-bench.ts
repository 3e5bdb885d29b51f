import { InvalidRecordError, type RecordPlace } from "../../errors/index.ts";
import { isJsonObject, type JsonObject, type Trajectory } from "../../schema/index.ts";
import { idText } from "../id-text.ts";
import { importJson, type ImportLines } from "../import-line.ts";
import { createImportRun, type ImportLog, type ImportRun } from "../import-run.ts";
import { uniqueIds } from "../unique-ids.ts";
import { saysRequiredActions, tauMessages, tauReward, tauTrajectory } from "./tau-run.ts";

export interface TauOptions {
  /** The task's question. Default: the first thing the user says. */
  question?: string;
}

/**
 * Runs of tau-bench (Yao et al., 2024): a list of `{task_id, trial, reward, info, traj}`, or one such record a
 * line. A step is a turn of the agent, with the tool results or the user's reply that came back; its type
 * is the tool's name, or `respond`. States are the conversation up to there.
 *
 * The reward becomes final score and success. It, the required actions, the expected outputs, the digest of
 * the wanted data and the user's instruction, which the agent never sees, are in no state.
 *
 * Warnings: `gold_refused` for a record with required actions, `not_a_message`, `no_reward`, `no_steps`,
 * `no_question`, `no_candidates`, `repeated_id`, `repeated_record`.
 *
 * @throws InvalidRecordError for a document that is not such a record or a list of them
 */
export function importTauBench(documents: ImportLines, options: TauOptions = {}): ImportRun {
  return createImportRun("tau-bench", (log) => generate(documents, options, log));
}

async function* generate(
  documents: ImportLines,
  { question }: TauOptions,
  log: ImportLog,
): AsyncGenerator<Trajectory> {
  const unique = uniqueIds(log);
  for await (const line of documents) {
    const json = importJson(line);
    const records = Array.isArray(json) ? json : [json];
    for (const [i, record] of records.entries()) {
      log.read();
      const path = Array.isArray(json) ? `[${i}]` : "";
      const { traj, ...rest } = checked(record, path, line.place);
      const task = idText(rest["task_id"]) ?? `line-${line.place.line}${path}`;
      const trial = idText(rest["trial"]);
      const id = unique(`tau-bench/${task}${trial === undefined ? "" : `/${trial}`}`, line.place, record);
      if (id === undefined) continue;
      yield tauTrajectory(
        {
          id,
          adapter: "tau-bench",
          taskId: `tau-bench/${task}`,
          messages: tauMessages(traj, id, line.place, log),
          question,
          reward: rewardOf(rest, id, line.place, log),
          metadata: trial === undefined ? {} : { trial },
        },
        line.place,
        log,
      );
    }
  }
}

function checked(record: unknown, path: string, place: RecordPlace): JsonObject & { traj: unknown[] } {
  if (!isJsonObject(record))
    throw new InvalidRecordError(place, path, "must be a record with task_id and traj");
  const traj = record["traj"];
  if (Array.isArray(traj)) return { ...record, traj };
  throw new InvalidRecordError(place, path === "" ? "traj" : `${path}.traj`, "must be a list of messages");
}

function rewardOf(
  { reward, info }: JsonObject,
  id: string,
  place: RecordPlace,
  log: ImportLog,
): number | undefined {
  if (isJsonObject(info) && saysRequiredActions(info["task"])) {
    log.warn("gold_refused", `${id}: required actions are the answer key; they are in no state`, place);
  }
  const known = tauReward(reward);
  if (known === undefined) log.warn("no_reward", `${id}: says nothing about its outcome`, place);
  return known;
}
