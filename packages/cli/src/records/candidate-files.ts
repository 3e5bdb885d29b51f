import {
  decodeCandidateFileRecord,
  InvalidArgumentError,
  indexCandidateSets,
  type CandidateSet,
  type CandidateSetIndex,
} from "@agent-step-value/sdk";
import { readRecords } from "@agent-step-value/sdk/jsonl";
import type { WarningLog } from "./read-input.ts";

/** Candidate sets and targets of the files a command was given. */
export interface CandidateFiles {
  sets: CandidateSetIndex;
  count: number;
  /** Target by task id. */
  gold: ReadonlyMap<string, string>;
}

export async function readCandidateFiles(files: readonly string[], log: WarningLog): Promise<CandidateFiles> {
  const sets: CandidateSet[] = [];
  const gold = new Map<string, string>();
  for (const file of files) {
    for await (const record of readRecords(file, decodeCandidateFileRecord, log)) {
      if (record.record === "candidate_set") sets.push(record);
      else if (gold.get(record.taskId) === undefined) gold.set(record.taskId, record.goldCandidateId);
      else if (gold.get(record.taskId) !== record.goldCandidateId) {
        throw new InvalidArgumentError("--gold", "one target a task", record.taskId);
      }
    }
  }
  return { sets: indexCandidateSets(sets), count: sets.length, gold };
}
