import { blockKindOf } from "@agent-step-value/sdk";
import { conversationPieces } from "./conversation.ts";
import { field, isMap, opened, textField } from "./foreign-json.ts";
import { lastAsked } from "./piece.ts";

const DEEPEST = 3;

/**
 * What a run was asked, out of its input: the last thing the user said, a field that is named as a task
 * (`question`, `query`, `prompt`, ...), or the text itself. Undefined for an input that asks nothing.
 */
export function runQuestion(input: unknown, depth = 0): string | undefined {
  if (input === undefined || input === null || input === "" || depth > DEEPEST) return undefined;
  const pieces = conversationPieces(input);
  const last = pieces === undefined ? undefined : lastAsked(pieces);
  if (last !== undefined) return last;
  const open = opened(input);
  if (typeof open === "string") return open;
  if (!isMap(open)) return undefined;
  for (const name of Object.keys(open)) {
    const value = textField(open, name);
    if (value !== undefined && blockKindOf(name) === "task") return value;
  }
  // One level of wrapping: `{inputs: {question}}`, `{kwargs: {query}}`.
  for (const name of ["inputs", "input", "kwargs", "args"]) {
    const inner = field(open, name);
    const asked =
      typeof inner === "object" ? runQuestion(Array.isArray(inner) ? inner[0] : inner, depth + 1) : undefined;
    if (asked !== undefined) return asked;
  }
  return undefined;
}
