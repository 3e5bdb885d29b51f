import type { Block } from "../schema/index.ts";
import { argumentsText } from "./chat/json-text.ts";

/** The same thing said twice, whatever name and JSON spelling each record gives it. */
export function isAlike(a: Block, b: Block): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  return a.text === b.text || argumentsText(a.text) === argumentsText(b.text);
}

/** `given`, with its beginning as `known` has it, as far as the two are alike. */
export function withKnownStart(known: readonly Block[], given: readonly Block[]): Block[] {
  let same = 0;
  while (same < known.length && same < given.length && isAlike(known[same]!, given[same]!)) same += 1;
  return [...known.slice(0, same), ...given.slice(same)];
}
