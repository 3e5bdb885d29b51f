import { isJsonObject } from "@agent-step-value/sdk";
import { readLines } from "@agent-step-value/sdk/jsonl";

/** What a file holds, by the `record` of its first line. */
export type FileKind = "trajectories" | "scores" | "candidates";

const scores: readonly unknown[] = ["protocol", "score", "rationale", "unscored"];
const candidates: readonly unknown[] = ["candidate_set", "gold"];

/** Tells trajectory, score and candidate-set files apart. A file without a record counts as trajectories. */
export async function sniffFile(file: string): Promise<FileKind> {
  for await (const { json } of readLines(file)) {
    const record = isJsonObject(json) ? json["record"] : undefined;
    if (scores.includes(record)) return "scores";
    return candidates.includes(record) ? "candidates" : "trajectories";
  }
  return "trajectories";
}
