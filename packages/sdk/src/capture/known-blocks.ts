import { BLOCK_KINDS, type Block, type BlockKind } from "../schema/index.ts";

/** Names of more characters are cut. */
export const LONGEST_NAME = 200;
export const MOST_BLOCKS = 2000;
export const LONGEST_STATE = 1_000_000;

/**
 * A state that is a list of whole blocks and nothing else, copied; undefined for any other, and for
 * one that would be cut. It reads no getter and no proxy, so that a projection is still the first to.
 *
 * @param maxChars most characters of texts and names
 */
export function wholeBlocks(state: unknown, maxChars: number): Block[] | undefined {
  try {
    if (!isPlainObject(state)) return undefined;
    const keys = Object.keys(state);
    if (keys.length !== 1 || keys[0] !== "blocks") return undefined;
    const list: unknown = Object.getOwnPropertyDescriptor(state, "blocks")?.value;
    return Array.isArray(list) ? copied(list, Math.min(maxChars, LONGEST_STATE)) : undefined;
  } catch {
    // A proxy's trap may throw; the projection deals with it.
    return undefined;
  }
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function copied(list: readonly unknown[], maxChars: number): Block[] | undefined {
  if (list.length > MOST_BLOCKS || Object.getPrototypeOf(list) !== Array.prototype) return undefined;
  const blocks: Block[] = [];
  let chars = 0;
  for (let i = 0; i < list.length; i += 1) {
    const block = wholeBlock(Object.getOwnPropertyDescriptor(list, i)?.value);
    if (block === undefined) return undefined;
    chars += block.text.length + (block.name?.length ?? 0);
    if (chars > maxChars) return undefined;
    blocks.push(block);
  }
  return blocks;
}

/** A copy with its keys in the order of canonical JSON. */
function wholeBlock(value: unknown): Block | undefined {
  if (!isPlainObject(value) || "toJSON" in value) return undefined;
  let kind: unknown;
  let name: unknown;
  let text: unknown;
  for (const key of Object.keys(value)) {
    const field: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
    if (typeof field !== "string") return undefined;
    if (key === "kind") kind = field;
    else if (key === "name") name = field;
    else if (key === "text") text = field;
    else return undefined;
  }
  if (typeof text !== "string" || !BLOCK_KINDS.includes(kind as BlockKind)) return undefined;
  if (typeof name !== "string") return { kind: kind as BlockKind, text };
  return name.length > LONGEST_NAME ? undefined : { kind: kind as BlockKind, name, text };
}
