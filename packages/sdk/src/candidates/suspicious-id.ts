import { TELLING_ID_WORDS } from "./candidate-words.ts";

/**
 * Why an id should not be used, or undefined.
 *
 * An id that ends in a single letter (`A`, `answer-a`, `option_B`) echoes a physical label, and one
 * with a word like `correct` tells the evaluator what it must not know.
 */
export function suspiciousId(id: string): string | undefined {
  const parts = id
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const last = parts.at(-1) ?? "";
  if (last.length === 1 && last >= "a" && last <= "z") return "looks like a label";
  const telling = parts.find((part) => TELLING_ID_WORDS.includes(part));
  return telling === undefined ? undefined : `holds the word "${telling}", which tells about the target`;
}
