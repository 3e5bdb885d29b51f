import {
  decodeTrajectory,
  encodeTrajectory,
  stateSha256,
  type Block,
  type State,
  type Trajectory,
} from "../schema/index.ts";
import type { ImportLine, ImportLines } from "./import-line.ts";
import type { ImportReport, ImportRun } from "./import-run.ts";

/** Documents as a reader hands them over, one a line of one file. */
export function documents(...values: readonly unknown[]): ImportLine[] {
  return values.map((json, i) => ({ place: { source: "runs.json", line: i + 1 }, json }));
}

export interface Imported {
  trajectories: Trajectory[];
  report: ImportReport;
}

/** Reads an import to its end. Every trajectory must be one that the toolkit can write and read again. */
export async function importedAll(run: ImportRun): Promise<Imported> {
  const trajectories: Trajectory[] = [];
  for await (const trajectory of run) {
    const wire = encodeTrajectory(trajectory);
    // A long run is more than one text can hold; the file has it as live records.
    const line: unknown = trajectory.steps.length > 500 ? wire : JSON.parse(JSON.stringify(wire));
    decodeTrajectory(line, { source: "written", line: 1 });
    trajectories.push(trajectory);
  }
  return { trajectories, report: run.report };
}

/** The first trajectory of an import of these documents. */
export async function importedOne<O>(
  importer: (lines: ImportLines, options?: O) => ImportRun,
  document: unknown,
  options?: O,
): Promise<{ trajectory: Trajectory; report: ImportReport }> {
  const { trajectories, report } = await importedAll(importer(documents(document), options));
  if (trajectories.length === 0) throw new Error("the document gave no trajectory");
  return { trajectory: trajectories[0]!, report };
}

export function blocksOf(state: State | undefined): Block[] {
  return (state?.["blocks"] ?? []) as unknown as Block[];
}

/** `kind/name: text` of each block. */
export function linesOf(state: State | undefined): string[] {
  return blocksOf(state).map(
    ({ kind, name, text }) => `${kind}${name === undefined ? "" : `/${name}`}: ${text}`,
  );
}

export function typesOf({ steps }: Trajectory): unknown[] {
  return steps.map(({ action }) => action["type"]);
}

/** Places where a before-state is not the after-state before it. */
export function breaksOf({ steps }: Trajectory): number[] {
  return steps.flatMap(({ stateBefore }, i) =>
    i > 0 && stateSha256(stateBefore!) !== stateSha256(steps[i - 1]!.stateAfter!) ? [i] : [],
  );
}

/** Everything a trajectory's states say, to look for what must not be there. */
export function statesText({ steps }: Trajectory): string {
  return JSON.stringify(steps.map(({ stateBefore, stateAfter }) => [stateBefore, stateAfter]));
}
