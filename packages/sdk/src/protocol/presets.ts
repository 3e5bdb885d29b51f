import { AsvError, showValue } from "../errors/index.ts";
import type { BufferPolicy, ProtocolSettings, Slice } from "./protocol.ts";

/** Everything of a protocol but its evaluator, with the preset's name. */
export interface ProtocolPreset extends Omit<ProtocolSettings, "evaluator"> {
  name: string;
}

/** Characters of a state the evaluator is shown at most. */
const MAX_CHARS = 24_000;

function preset(name: string, buffer: BufferPolicy, slice: Slice = "full"): ProtocolPreset {
  return {
    name,
    projection: { slice, maxChars: MAX_CHARS },
    buffer,
    mappings: { design: "fixed", count: 1, seed: 0 },
    template: "asv-skeleton-1",
    normalisation: { floor: { rule: "bounded", score: -20 }, variants: "label-variants-1" },
  };
}

/**
 * The ready-made channels (paper Table 2). They differ in their buffer alone, and `candidateOnly` in
 * its slice alone, so that comparing two of them compares one thing.
 *
 * @example defineProtocol({ ...protocols.rationale128, evaluator: evaluator.settings })
 */
export const protocols = {
  direct: preset("direct", { kind: "none" }),
  rationale128: preset("rationale-128", { kind: "generated", maxTokens: 128 }),
  rationale512: preset("rationale-512", { kind: "generated", maxTokens: 512 }),
  extractive: preset("extractive", { kind: "extractive", maxTokens: 128 }),
  candidateOnly: preset("candidate-only", { kind: "none" }, "none"),
  swapped128: preset("swapped-128", { kind: "swapped", maxTokens: 128 }),
} as const;

const byName = new Map<string, ProtocolPreset>(Object.values(protocols).map((item) => [item.name, item]));
const slices: readonly Slice[] = ["full", "evidence", "agent-output"];

/** Names that {@link parseProtocolName} reads, before an optional `@slice`. */
export const PROTOCOL_NAMES: readonly string[] = [...byName.keys()];

/**
 * Reads a preset name with an optional slice: `direct`, `rationale-128@evidence`,
 * `extractive@agent-output`.
 *
 * @returns a fresh copy; the caller adds the evaluator and may change any part
 * @throws AsvError `unknown_format` for another name or slice
 */
export function parseProtocolName(text: string): ProtocolPreset {
  const [name = "", slice, ...rest] = text.split("@");
  const found = byName.get(name);
  const sliced =
    slice === undefined || (slices.includes(slice as Slice) && name !== protocols.candidateOnly.name);
  if (found === undefined || !sliced || rest.length > 0) {
    throw new AsvError(
      "unknown_format",
      `There is no protocol ${showValue(text)}; use ${PROTOCOL_NAMES.join(", ")}, ` +
        `each but candidate-only with an optional ${slices.map((item) => `@${item}`).join(" or ")}.`,
    );
  }
  const copy = structuredClone(found);
  if (slice === undefined || slice === "full") return copy;
  return { ...copy, name: text, projection: { ...copy.projection, slice: slice as Slice } };
}
