import { blockKindOf, type BlockKind } from "@agent-step-value/sdk";
import { conversationPieces } from "./conversation.ts";
import { isMap, opened, textOf, type JsonMap } from "./foreign-json.ts";
import type { Piece } from "./piece.ts";

/** Channels of LangGraph's own, and its way of naming the next node. */
const INTERNAL = /^(?:__|branch:to:|lg_|langgraph_)|^jumpTo$/;

function fieldPieces(map: JsonMap): Piece[] {
  const pieces: Piece[] = [];
  for (const name of Object.keys(map)) {
    const value = map[name];
    if (INTERNAL.test(name) || value === null || value === "" || (Array.isArray(value) && value.length === 0))
      continue;
    const kind = blockKindOf(name);
    // A list of texts reads as one piece an item.
    const items: readonly unknown[] =
      Array.isArray(value) && value.every((item) => typeof item === "string") ? value : [value];
    for (const item of items) pieces.push({ is: "field", kind, name, text: textOf(item) ?? "" });
  }
  return pieces;
}

/**
 * What a node of a graph or another unit of work added: messages, the fields of an object (each a piece
 * by its name, as in a live state), or a text. Undefined where nothing was recorded.
 */
export function outcomePieces(value: unknown, kind?: BlockKind): readonly Piece[] | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (kind === undefined) {
    const messages = conversationPieces(value);
    if (messages !== undefined) return messages;
    const open = opened(value);
    if (isMap(open)) return fieldPieces(open);
  }
  const text = textOf(value);
  return text === undefined ? undefined : [{ is: "field", kind: kind ?? "other", text }];
}
