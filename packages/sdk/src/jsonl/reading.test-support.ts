import { AsvError } from "../errors/index.ts";
import type { Trajectory } from "../schema/index.ts";
import { statesOf } from "./live-lines.test-support.ts";
import { readTrajectories } from "./read-trajectories.ts";
import type { ReadWarning } from "./read-warning.ts";
import type { JsonlSource } from "./source.ts";
import { collect } from "./temporary-files.test-support.ts";

/** What reading the sources gives: trajectories and warnings. */
export async function read(...sources: JsonlSource[]) {
  const warnings: ReadWarning[] = [];
  const onWarning = (warning: ReadWarning): void => void warnings.push(warning);
  const trajectories = await collect(readTrajectories(sources, { onWarning }));
  return {
    trajectories,
    ids: trajectories.map(({ trajectoryId }) => trajectoryId),
    warnings: warnings.map(({ code, line }) => `${code}:${line}`),
    messages: warnings.map(({ message }) => message),
  };
}

/** The error that reading the sources ends with. */
export async function refusal(...sources: JsonlSource[]): Promise<AsvError> {
  try {
    await read(...sources);
  } catch (error) {
    if (AsvError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

/** Before- and after-state of every step. */
export function states({ steps }: Trajectory): [unknown, unknown][] {
  return steps.map(({ stateBefore, stateAfter }) => [stateBefore, stateAfter]);
}

/** What {@link states} gives for a run of `live-lines.test-support.ts`. */
export function chain(id: string, count: number): [unknown, unknown][] {
  const all = statesOf(id, count);
  return all.slice(1).map((after, i) => [all[i], after]);
}
