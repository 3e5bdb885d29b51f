import { field, isMap, jsonText, opened, textField, textOf, type JsonMap } from "./foreign-json.ts";
import { mediaText } from "./media-text.ts";
import type { Piece, Role } from "./piece.ts";
import { partsText } from "./result-text.ts";
import { resultPiece, sideCalls, toolPart } from "./tool-pieces.ts";

/** Whose content it is. */
export interface Speaker {
  readonly role: Role | "tool";
  readonly name?: string | undefined;
  /** A tool's message: the call it answers, and whether it says that the tool failed. */
  readonly callId?: string | undefined;
  readonly failed?: boolean;
}

function reasoningText(part: JsonMap, type: string): string | undefined {
  if (type === "reasoning" || type === "thinking" || field(part, "thought") === true) {
    const summary = field(part, "summary");
    const text = textField(part, "thinking", "reasoning", "text", "content");
    return text ?? (Array.isArray(summary) ? partsText(summary) : undefined) ?? "";
  }
  const nested = field(part, "reasoningContent");
  if (!isMap(nested)) return undefined;
  const inner = field(nested, "reasoningText");
  return isMap(inner) ? textField(inner, "text") : textField(nested, "text");
}

/**
 * The pieces of one part, by allow-list; undefined for what is plain text of the message, and nothing
 * for parts that say nothing (signatures, encrypted reasoning, provider metadata).
 */
function partPieces(part: JsonMap): readonly Piece[] | { readonly text: string } | undefined {
  const named = field(part, "type");
  const type = typeof named === "string" ? named : "";
  const reasoning = reasoningText(part, type);
  if (reasoning !== undefined) return reasoning === "" ? [] : [{ is: "reasoning", text: reasoning }];
  const tool = toolPart(part, type);
  if (tool !== undefined) return [tool];
  const media = mediaText(part);
  if (media !== undefined) return { text: media };
  const text = textField(part, "text", "content", "refusal");
  return text === undefined ? undefined : { text };
}

function spoken({ role, name, callId, failed }: Speaker, text: string): Piece {
  if (role !== "tool") return { is: "text", role, text, ...(name !== undefined && { name }) };
  return {
    is: "result",
    ...(callId !== undefined && { id: callId }),
    ...(name !== undefined && { name }),
    text,
    ...(failed === true && { failed: true }),
  };
}

/** Calls that a tracer wrote as the text of a message: `[{"id", "type": "function", "function": {...}}]`. */
function callsText(text: string): Piece[] | undefined {
  if (!/^\s*\[\s*\{\s*"(?:function|id|type)"\s*:/.test(text)) return undefined;
  const open = opened(text);
  const items: readonly unknown[] = Array.isArray(open) ? open : [];
  const all = items.length > 0 && items.every((item) => isMap(item) && isMap(field(item, "function")));
  return all ? sideCalls(items) : undefined;
}

/** Some tracers write a list of parts as text, even as the text of one part. */
function isPartsText(text: string): boolean {
  return /^\s*\[\s*\{\s*['"](?:type|text|toolUse|toolResult|reasoningContent)['"]\s*:/.test(text);
}

/** A content's parts out of their text. A tool's own list of objects is what the model was shown: it stays text. */
function openedContent(content: unknown, { role }: Speaker): unknown {
  if (typeof content !== "string") return content;
  const wrapped = role === "tool" && /^\s*\{\s*"type"\s*:\s*"function_result"/.test(content);
  const open = isPartsText(content) || wrapped ? opened(content) : content;
  if (role !== "tool" || !Array.isArray(open) || partsText(open) !== undefined) return open;
  const typed = open.some(
    (part) => isMap(part) && toolPart(part, textField(part, "type") ?? "") !== undefined,
  );
  return typed ? open : content;
}

/**
 * The pieces of a message's content: a text, a list of typed parts, or any value of a tool. Texts that
 * stand side by side become one piece; media stays apart.
 */
export function contentPieces(content: unknown, speaker: Speaker): Piece[] {
  const open = openedContent(content, speaker);
  if (open === undefined || open === null || open === "") return [];
  if (typeof open === "string") {
    return (speaker.role === "assistant" ? callsText(open) : undefined) ?? [spoken(speaker, open)];
  }
  if (!Array.isArray(open)) {
    if (speaker.role === "tool")
      return [resultPiece(speaker.callId, speaker.name, open, speaker.failed === true)];
    const read = isMap(open) ? partPieces(open) : undefined;
    if (Array.isArray(read)) return [...(read as readonly Piece[])];
    const text = read !== undefined && "text" in read ? read.text : textOf(open);
    return text === undefined ? [] : [spoken(speaker, text)];
  }
  const pieces: Piece[] = [];
  let texts: string[] = [];
  const close = (): void => {
    if (texts.length > 0) pieces.push(spoken(speaker, texts.join("\n")));
    texts = [];
  };
  for (const part of open as readonly unknown[]) {
    const read = typeof part === "string" ? { text: part } : isMap(part) ? partPieces(part) : undefined;
    if (read === undefined) {
      // A tool's own list of objects is its result, not a message of unknown parts.
      if (speaker.role === "tool") return [spoken(speaker, jsonText(open) ?? "")];
      continue;
    }
    if ("text" in read && (speaker.role === "tool" || !read.text.startsWith("data:"))) {
      const inner = isPartsText(read.text) ? opened(read.text) : undefined;
      const text = (Array.isArray(inner) ? partsText(inner) : undefined) ?? read.text;
      if (text !== "") texts.push(text);
      continue;
    }
    close();
    if ("text" in read) pieces.push(spoken(speaker, read.text));
    else pieces.push(...(read as readonly Piece[]));
  }
  close();
  return pieces;
}
