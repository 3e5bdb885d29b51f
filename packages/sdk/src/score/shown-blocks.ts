import type { Slice } from "../protocol/index.ts";
import { canonicalJson, type Block, type State } from "../schema/index.ts";

export function shownBlocks(state: State, _projection: { slice: Slice; maxChars: number }): Block[] {
  if (_projection.slice === "none") return [];
  if (Array.isArray(state["blocks"])) return state["blocks"] as unknown as Block[];
  return Object.entries(state).map(([name, value]) => ({
    kind: "other",
    name,
    text: typeof value === "string" ? value : canonicalJson(value),
  }));
}
