import { encodeTrajectory } from "../schema/index.ts";
import { openJsonlWriter } from "./jsonl-writer.ts";
import type { ReadOptions } from "./read-warning.ts";
import { readTrajectories } from "./read-trajectories.ts";
import type { JsonlSource } from "./source.ts";

/** What {@link packTrajectories} wrote. */
export interface Packed {
  trajectories: number;
  steps: number;
  /** How many of them never closed. */
  partial: number;
}

/**
 * Turns live records into whole trajectories, one a line. Whole ones pass through, so packing a
 * packed file again changes nothing. The output may be one of the sources: it is replaced at the end.
 *
 * @param out path of the file to write, or `-` for standard output
 * @throws what {@link readTrajectories} and {@link openJsonlWriter} throw; the output is then untouched
 */
export async function packTrajectories(
  sources: JsonlSource | readonly JsonlSource[],
  out: string,
  options: ReadOptions = {},
): Promise<Packed> {
  const packed: Packed = { trajectories: 0, steps: 0, partial: 0 };
  const writer = await openJsonlWriter(out);
  try {
    for await (const trajectory of readTrajectories(sources, options)) {
      await writer.write(encodeTrajectory(trajectory));
      packed.trajectories++;
      packed.steps += trajectory.steps.length;
      if (trajectory.status === "partial") packed.partial++;
    }
    await writer.commit();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  return packed;
}
