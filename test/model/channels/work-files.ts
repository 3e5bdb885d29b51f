import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readTrajectories, type Trajectory } from "@agent-step-value/sdk";
import { shortestOf } from "../questions.ts";
import type { Asv } from "./asv.ts";

export const RUNS = "runs.asv.jsonl";
/** The same runs with the target of each question exchanged for another candidate. */
export const OTHER_TARGETS = "other-targets.asv.jsonl";
/** The first questions alone, for the second measurement. */
export const REPEATED = "repeated.asv.jsonl";
/** Folders of further score files. */
export const OTHER_SCORES = "other-targets";
export const REPEATED_SCORES = "repeated";

/**
 * The folder that everything is written to.
 *
 * @param own of the test, emptied first; a folder that somebody named is never emptied
 */
export function openWorkFolder(folder: string, { own, resume }: { own: boolean; resume: boolean }): void {
  if (own && !resume) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (!resume && readdirSync(folder).length > 0) {
    throw new Error(
      `${folder} is not empty: give --resume to go on with what is there, or name another folder`,
    );
  }
  for (const part of ["other-targets", "repeated"]) mkdirSync(join(folder, part), { recursive: true });
}

/** Imports and freezes the data set by the command line, and keeps the shortest questions of it. */
export async function writeRuns(
  asv: Asv,
  folder: string,
  pubmedqa: string,
  { questions, repeats }: { questions: number; repeats: number },
): Promise<Trajectory[]> {
  const all = "all.asv.jsonl";
  await asv(["import", "pubmedqa", pubmedqa, "--out", all]);
  await asv(["candidates", "freeze", all]);
  const chosen = await shortestOf(readTrajectories([join(folder, all)]), questions);
  const lines = new Map(
    readFileSync(join(folder, all), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => [(JSON.parse(line) as RunLine).trajectory_id, line]),
  );
  const kept = chosen.map(({ trajectoryId }) => lines.get(trajectoryId)!);
  const write = (name: string, text: readonly string[]) =>
    writeFileSync(join(folder, name), text.map((line) => `${line}\n`).join(""));
  write(RUNS, kept);
  write(REPEATED, kept.slice(0, repeats));
  write(OTHER_TARGETS, kept.map(withOtherTarget));
  return chosen;
}

/** The parts of a stored run that are touched here. */
interface RunLine {
  trajectory_id: string;
  task: { candidate_space: { candidates: { id: string }[]; gold_candidate_id: string } };
}

function withOtherTarget(line: string): string {
  const run = JSON.parse(line) as RunLine;
  const space = run.task.candidate_space;
  const ids = space.candidates.map(({ id }) => id);
  space.gold_candidate_id = ids[(ids.indexOf(space.gold_candidate_id) + 1) % ids.length]!;
  return JSON.stringify(run);
}

/** Texts of the data set that tell the answer and must never be sent: conclusions of the chosen questions. */
export function conclusionsOf(pubmedqa: string, trajectories: readonly Trajectory[]): string[] {
  const chosen = new Set(trajectories.map(({ trajectoryId }) => trajectoryId));
  return readFileSync(pubmedqa, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { pmid: string; LONG_ANSWER: string })
    .filter(({ pmid }) => chosen.has(`pubmedqa/${pmid}`))
    .map(({ LONG_ANSWER: text }) => text);
}
