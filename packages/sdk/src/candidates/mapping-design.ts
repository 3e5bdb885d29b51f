import { InvalidArgumentError } from "../errors/index.ts";

/** Π: how candidates take labels (paper section 3.2). */
export interface MappingDesign {
  /** `fixed`: the frozen order. `balanced`: rows of a Williams design. */
  design: "fixed" | "balanced";
  /** B: number of mappings a state; 1 for `fixed`. */
  count: number;
  /** 32-bit integer that the row order and the relabelling of repeated rows depend on. */
  seed: number;
}

/**
 * Reads `fixed` or `balanced:B`, for example `balanced:4`.
 *
 * @throws InvalidArgumentError for anything else
 */
export function parseMappings(text: string, seed = 0): MappingDesign {
  if (text === "fixed") return { design: "fixed", count: 1, seed };
  const [design, count, ...rest] = text.split(":");
  if (design === "balanced" && count !== undefined && /^[1-9]\d{0,2}$/.test(count) && rest.length === 0) {
    return { design: "balanced", count: Number(count), seed };
  }
  throw new InvalidArgumentError("mappings", '"fixed" or "balanced:B" with B from 1 to 999', text);
}
