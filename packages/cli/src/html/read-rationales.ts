import { decodeScoreFileRecord } from "@agent-step-value/sdk";
import { readRecords, type ReadOptions } from "@agent-step-value/sdk/jsonl";
import type { CollectedRuns } from "./collect/collect-runs.ts";
import { rationaleKey, type Rationales } from "./collect/run-view.ts";
import { shownStates } from "./collect/shown-states.ts";

/** Characters of a rationale that are kept. */
const MOST_CHARS = 6000;

/**
 * Rationales of the shown runs' states under one protocol. Score files are read once more for them: an
 * index of scores holds no texts, and which ones are wanted is known only when all runs were seen.
 */
export async function readRationales(
  scoreFiles: readonly string[],
  protocolId: string,
  runs: CollectedRuns,
  options: ReadOptions = {},
): Promise<Rationales> {
  const wanted = new Set<string>();
  for (const { taskId, candidateSetSha256, initialSha256, steps } of runs.shown) {
    const states = [
      initialSha256,
      ...steps.flatMap(({ beforeSha256, afterSha256 }) => [beforeSha256, afterSha256]),
    ];
    for (const state of states) {
      if (state !== undefined) wanted.add(rationaleKey(taskId, candidateSetSha256, state));
    }
  }
  const found = new Map<string, string>();
  for (const file of scoreFiles) {
    for await (const record of readRecords(file, decodeScoreFileRecord, options)) {
      if (record.record !== "rationale" || record.protocolId !== protocolId) continue;
      const key = rationaleKey(record.taskId, record.candidateSetSha256, record.stateSha256);
      if (wanted.has(key)) found.set(key, shownStates().text(record.text).slice(0, MOST_CHARS));
    }
  }
  return found;
}
