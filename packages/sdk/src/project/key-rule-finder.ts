import { squashName } from "./field-name.ts";
import type { KeyRule } from "./rules/index.ts";

/** Names whose rules are remembered; a hostile object may have millions. */
const MOST_NAMES = 4096;

/**
 * A look-up of the rules that a key's name fits, in their order; most names fit none. Listed names
 * are indexed once, since an object may have as many keys as it likes.
 */
export function keyRuleFinder(rules: readonly KeyRule[]): (name: string) => readonly KeyRule[] {
  const listed = new Map<string, Set<KeyRule>>();
  const tested: KeyRule[] = [];
  for (const rule of rules) {
    if (typeof rule.when.name === "function") tested.push(rule);
    else {
      for (const name of rule.when.name) {
        const squashed = squashName(name);
        listed.set(squashed, (listed.get(squashed) ?? new Set()).add(rule));
      }
    }
  }
  const find = (name: string): readonly KeyRule[] => {
    const squashed = squashName(name);
    const byList = listed.get(squashed);
    const byTest = tested.filter(({ when }) => typeof when.name === "function" && when.name(name));
    if (byList === undefined) return byTest;
    return rules.filter((rule) => byList.has(rule) || byTest.includes(rule));
  };
  const known = new Map<string, readonly KeyRule[]>();
  return (name) => {
    const remembered = known.get(name);
    if (remembered !== undefined) return remembered;
    // Names this long are data; squashName and nameWords say so too.
    if (squashName(name) === "") return [];
    const fit = find(name);
    if (known.size >= MOST_NAMES) known.clear();
    known.set(name, fit);
    return fit;
  };
}
