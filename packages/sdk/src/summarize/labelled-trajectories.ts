import type { LabelledTrajectory } from "./human-labels.ts";
import { STEP, type StepTable } from "./step-columns.ts";

/**
 * Trajectories with exactly one labelled step, and how many have several. The place of a step is its
 * place among the steps of its trajectory as they came; a file may number its steps from any number.
 */
export function labelledTrajectories(
  table: StepTable,
  trajectoryCount: number,
): { single: LabelledTrajectory[]; several: number } {
  const labels = new Uint32Array(trajectoryCount);
  for (let row = 0; row < table.length; row++) {
    if (table.bits[row]! & STEP.labelled) labels[table.trajectory[row]!]!++;
  }
  const rowsOf = new Map<number, number[]>();
  for (let row = 0; row < table.length; row++) {
    const trajectory = table.trajectory[row]!;
    if (labels[trajectory] !== 1) continue;
    const rows = rowsOf.get(trajectory);
    if (rows === undefined) rowsOf.set(trajectory, [row]);
    else rows.push(row);
  }
  const single = [...rowsOf.values()].map((rows) => toLabelled(table, rows));
  return { single, several: labels.filter((count) => count > 1).length };
}

function toLabelled(table: StepTable, rows: readonly number[]): LabelledTrajectory {
  const measured = rows.filter((row) => table.bits[row]! & STEP.measured);
  const labelledRow = rows.find((row) => table.bits[row]! & STEP.labelled)!;
  const labelled = measured.indexOf(labelledRow);
  return {
    labelledIndex: rows.indexOf(labelledRow),
    steps: rows.length,
    gains: measured.map((row) => table.gain[row]!),
    surprises: measured.map((row) => table.surprise[row]!),
    labelled: labelled < 0 ? undefined : labelled,
  };
}
