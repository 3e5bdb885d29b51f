const wordChar = /[\p{L}\p{N}_-]/u;

/**
 * Place of the first whole-word occurrence of `needle` in `text` from `from` on, or −1: `cand-1` is
 * not in `cand-10`. Both are compared as given; the caller folds case.
 */
export function findMention(text: string, needle: string, from = 0): number {
  if (needle === "") return -1;
  for (let at = text.indexOf(needle, from); at !== -1; at = text.indexOf(needle, at + 1)) {
    const before = at === 0 ? "" : text[at - 1]!;
    const after = text[at + needle.length] ?? "";
    if (!wordChar.test(before) && !wordChar.test(after)) return at;
  }
  return -1;
}
