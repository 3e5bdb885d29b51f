import { AsvError } from "../errors/index.ts";
import { defineProtocol, type Protocol, type ProtocolPreset } from "../protocol/index.ts";
import type { ScoreFileRecord, ScoreRecord, Trajectory } from "../schema/index.ts";
import type { ScoreOptions } from "../score/score-options.ts";
import type { ScoreOutcome } from "../score/score-outcome.ts";
import { score } from "../score/score.ts";

/** B rows of the balanced design. */
export const balanced = (count: number) => ({ design: "balanced" as const, count, seed: 0 });

/** A preset for an evaluator, with parts of it replaced. */
export function protocolFor(
  preset: ProtocolPreset,
  evaluator: { settings: Protocol["evaluator"] },
  change: Partial<ProtocolPreset> = {},
): Protocol {
  return defineProtocol({ ...preset, ...change, evaluator: evaluator.settings });
}

/** A scoring run read to its end: its records, their bytes, and its outcome. */
export async function scoreRun(trajectories: Iterable<Trajectory>, options: ScoreOptions) {
  const records: ScoreFileRecord[] = [];
  let outcome: ScoreOutcome | undefined;
  const onEnd = (end: ScoreOutcome) => (outcome = end);
  for await (const record of score(trajectories, { ...options, onEnd })) records.push(record);
  return { records, outcome: outcome!, bytes: JSON.stringify(records) };
}

export function scoresOf(records: readonly ScoreFileRecord[]): ScoreRecord[] {
  return records.filter((record): record is ScoreRecord => record.record === "score");
}

/** The code a piece of work fails with, `none`, or the text of an error that has no code. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "none";
  } catch (error) {
    return AsvError.isInstance(error) ? error.code : String(error);
  }
}

/** Lets a random number of turns of the event loop pass. */
export async function randomTurns(): Promise<void> {
  for (let turns = Math.floor(Math.random() * 6); turns > 0; turns--) {
    await new Promise((next) => setImmediate(next));
  }
}
