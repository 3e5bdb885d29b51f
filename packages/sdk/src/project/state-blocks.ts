import {
  BLOCK_KINDS,
  canonicalJson,
  isJsonObject,
  type Block,
  type BlockKind,
  type BlockState,
  type JsonValue,
  type State,
} from "../schema/index.ts";
import { blockKindOf } from "./block-kind.ts";

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function hasOnly(value: object, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}

function isBlock(value: JsonValue): boolean {
  if (!isJsonObject(value) || !hasOnly(value, ["kind", "name", "text", "truncated"])) return false;
  const { kind, name, text, truncated } = value;
  if (typeof text !== "string" || !BLOCK_KINDS.includes(kind as BlockKind)) return false;
  if (name !== undefined && typeof name !== "string") return false;
  return truncated === undefined || (isJsonObject(truncated) && isCount(truncated["chars"]));
}

/**
 * True for the form the toolkit writes: `blocks` and at most `truncated`, every block with a known
 * kind and a text. A host's own state that merely has a key `blocks` is not one.
 */
export function isBlockState(state: State): state is State & BlockState {
  const { blocks, truncated } = state;
  if (!Array.isArray(blocks) || !hasOnly(state, ["blocks", "truncated"])) return false;
  if (truncated !== undefined) {
    if (!isJsonObject(truncated) || !isCount(truncated["chars"]) || !isCount(truncated["blocks"])) {
      return false;
    }
  }
  return blocks.every(isBlock);
}

/** Canonical JSON, or plain JSON for a stored value that has no canonical form (a lone surrogate). */
export function blockText(value: JsonValue): string {
  if (typeof value === "string") return value;
  try {
    return canonicalJson(value);
  } catch {
    return JSON.stringify(value);
  }
}

/**
 * A state as the ordered list of typed blocks an evaluator is shown.
 *
 * `{blocks: [...]}` as it is; any other object gives one block a top-level key, in file order, its
 * kind by {@link blockKindOf}, strings as they are, other values as canonical JSON.
 */
export function stateBlocks(state: State): Block[] {
  if (isBlockState(state)) return state.blocks;
  return Object.keys(state).map((name) => ({
    kind: blockKindOf(name),
    name,
    text: blockText(state[name] ?? null),
  }));
}
