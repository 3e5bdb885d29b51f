import { InvalidArgumentError } from "../errors/index.ts";
import { sha256Hex, type MappingRow } from "../schema/index.ts";
import { MAX_CANDIDATES } from "./validate-candidates.ts";
import type { MappingDesign } from "./mapping-design.ts";
import { williamsDesign } from "./williams-design.ts";

/** The physical label of a 0-based place: A, B, C, … */
export function labelAt(place: number): string {
  return String.fromCharCode(65 + place);
}

/** Label to candidate id, in label order. */
export function labelsOf(row: MappingRow): Record<string, string> {
  return Object.fromEntries(row.order.map((id, place) => [labelAt(place), id]));
}

/**
 * The B label mappings of a task (paper section 3.2, Π).
 *
 * `fixed` gives the frozen order once. `balanced` gives rows of a Williams design over it; which
 * rows come first depends on task id and seed, never on time, so that a B below the full design
 * does not use the same rows for every task. Past the last row the design repeats with the
 * candidates relabelled.
 *
 * @param candidateIds in frozen order
 * @throws InvalidArgumentError for fewer than 2 or more than 26 candidates, or a B that is no
 * positive integer
 */
export function labelMappings(
  candidateIds: readonly string[],
  design: MappingDesign,
  taskId: string,
): MappingRow[] {
  const k = candidateIds.length;
  if (k < 2 || k > MAX_CANDIDATES) throw new InvalidArgumentError("candidateIds", "2 to 26 ids", k);
  if (!Number.isSafeInteger(design.count) || design.count < 1) {
    throw new InvalidArgumentError("design.count", "a positive integer", design.count);
  }
  if (design.design === "fixed") return [{ design: "fixed", index: 0, order: [...candidateIds] }];
  const draw = (name: string) => sha256Hex(`asv-mappings-1\n${design.seed}\n${taskId}\n${name}`);
  const rows = rowsInOrder(k, draw);
  return Array.from({ length: design.count }, (_, index) => {
    const round = Math.floor(index / rows.length);
    const ids = round === 0 ? candidateIds : shuffled(candidateIds, (i) => draw(`relabel ${round} ${i}`));
    return { design: "balanced", index, order: rows[index % rows.length]!.map((item) => ids[item]!) };
  });
}

/** Whether B mappings of K candidates balance places, and neighbours too. `fixed` claims neither. */
export function mappingBalance(k: number, design: MappingDesign): { places: boolean; neighbours: boolean } {
  if (design.design === "fixed") return { places: false, neighbours: false };
  const full = k % 2 === 0 ? k : 2 * k;
  return { places: design.count % k === 0, neighbours: design.count % full === 0 };
}

/** Rows in drawn order. Each half of an odd design stays together: B = k then balances the places. */
function rowsInOrder(k: number, draw: (name: string) => string): number[][] {
  const rows = williamsDesign(k);
  const halves = rows.length === k ? [rows] : [rows.slice(0, k), rows.slice(k)];
  return halves.flatMap((half, h) => shuffled(half, (i) => draw(`row ${h} ${i}`)));
}

function shuffled<T>(items: readonly T[], rank: (i: number) => string): T[] {
  const drawn = items.map((item, i) => ({ item, rank: rank(i) }));
  drawn.sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return drawn.map(({ item }) => item);
}
