import { canonicalJson } from "./canonical-json.ts";
import { sha256Hex } from "./digest.ts";
import type { JsonObject } from "./json.ts";

/** What a block of a projected state is. Slices and truncation work by kind. */
export const BLOCK_KINDS = [
  "task",
  "plan",
  "message",
  "tool_call",
  "evidence",
  "reasoning",
  "answer",
  "audit",
  "other",
] as const;

export type BlockKind = (typeof BLOCK_KINDS)[number];

/** One typed piece of a projected state. */
export interface Block {
  kind: BlockKind;
  /** Who or what it comes from: a speaker, a tool, a section. */
  name?: string;
  text: string;
  /** Set when the size bound cut this block: how many characters went. */
  truncated?: { chars: number };
}

/**
 * A state as stored: either `{blocks: [...]}`, which the toolkit writes, or any other JSON object,
 * which {@link stateBlocks} in `project/` reads as one block a top-level key.
 */
export type State = JsonObject;

/** A state in the form the toolkit writes. */
export interface BlockState {
  blocks: Block[];
  /** What the size bound removed from the whole state. */
  truncated?: { chars: number; blocks: number };
}

const memo = new WeakMap<object, string>();

/**
 * SHA-256 of the state's canonical JSON, memoised per object. The identity of a state everywhere.
 *
 * @param hash SHA-256 of a text's UTF-8 bytes in hex, for a runtime that has a faster one than the
 *   portable default
 */
export function stateSha256(state: State, hash: (text: string) => string = sha256Hex): string {
  let digest = memo.get(state);
  if (digest === undefined) {
    digest = hash(canonicalJson(state));
    memo.set(state, digest);
  }
  return digest;
}
