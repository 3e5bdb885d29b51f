import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodeScoreFileRecord, encodeTrajectory, type JsonObject } from "@agent-step-value/sdk";
import { syntheticStudy, type SyntheticStudyOptions, type StudyTruth } from "@agent-step-value/sdk/testing";

/** Where the files of a study are, by name. */
export interface StudyFiles {
  runs: string;
  /** One a channel, in the study's order. */
  scores: string[];
  truth: StudyTruth;
}

/**
 * Writes a synthetic study as the files a real one leaves: `runs.jsonl`, a `<channel>.scores.jsonl` each, and
 * `truth.json`, which a real one does not have.
 */
export async function writeStudy(folder: string, options: SyntheticStudyOptions = {}): Promise<StudyFiles> {
  const { trajectories, channels, truth } = syntheticStudy(options);
  await mkdir(folder, { recursive: true });
  const write = async (name: string, records: readonly JsonObject[]): Promise<string> => {
    await writeFile(join(folder, name), records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    return name;
  };
  const runs = await write("runs.jsonl", trajectories.map(encodeTrajectory));
  const scores: string[] = [];
  for (const { protocol, records } of channels) {
    scores.push(await write(`${protocol.name}.scores.jsonl`, records.map(encodeScoreFileRecord)));
  }
  await writeFile(join(folder, "truth.json"), `${JSON.stringify(truth, null, 2)}\n`);
  return { runs, scores, truth };
}
