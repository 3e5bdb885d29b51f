/** A part that cannot be had here; the suite then says so and does not fail. */
export class Skip extends Error {}

/** Says loudly why the suite did not run. */
export function saySkipped(reason: string): void {
  console.warn(`SKIPPED test:collector: ${reason}`);
}
