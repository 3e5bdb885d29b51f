import { isJsonObject, type JsonObject } from "../../schema/index.ts";
import type { ChatPart } from "./chat-message.ts";
import { argumentsText, jsonText } from "./json-text.ts";

const REASONING = new Set(["reasoning", "thinking"]);
const CALLS = new Set(["tool_use", "tool-call", "tool_call", "function_call", "server_tool_use", "toolCall"]);
const RESULTS = new Set([
  "tool_result",
  "tool-result",
  "tool-error",
  "tool_call_response",
  "tool_response",
  "function_call_output",
  "toolResult",
]);
const MEDIA = new Set(
  "image image_url input_image audio input_audio video file input_file media document data blob uri".split(
    " ",
  ),
);
/** Parts inside parts (a tool's result that is a list) are read to this depth. */
const MOST_DEPTH = 4;

/**
 * The readable pieces of a message's content, by allow-list: text, reasoning, tool calls, tool results, and
 * media as an address or a data URI, which the projection replaces by type, length and digest. Signatures,
 * usage and whatever else a provider puts there are left out.
 */
export function contentParts(content: unknown, depth = 0): ChatPart[] {
  if (content === undefined || content === null || depth > MOST_DEPTH) return [];
  if (typeof content === "string") return content === "" ? [] : [{ is: "text", text: content }];
  if (Array.isArray(content)) return content.flatMap((part) => contentParts(part, depth + 1));
  if (!isJsonObject(content)) return [{ is: "text", text: jsonText(content) }];
  return partsOf(content, depth);
}

function partsOf(part: JsonObject, depth: number): ChatPart[] {
  const type = firstText(part, "type") ?? "";
  if (CALLS.has(type)) return [callPart(part)];
  if (RESULTS.has(type)) return [resultPart(part, depth)];
  if (REASONING.has(type)) return reasoningParts(part, depth);
  const byKey = partByKey(part, depth);
  if (byKey !== undefined) return [byKey];
  if (part["thought"] === true) return reasoningParts(part, depth);
  const text = firstText(part, "text", "content", "refusal");
  if (text !== undefined) return text === "" ? [] : [{ is: "text", text }];
  if (MEDIA.has(type)) return [{ is: "text", text: mediaText(type, part) }];
  const inner = part["content"] ?? part["parts"];
  if (inner !== undefined && inner !== null) return contentParts(inner, depth + 1);
  // A bare object without a type is data that somebody put where a text should be.
  return type === "" ? [{ is: "text", text: jsonText(part) }] : [];
}

/** Gemini and Bedrock name the kind of a part by its only key. */
function partByKey(part: JsonObject, depth: number): ChatPart | undefined {
  const call = part["functionCall"] ?? part["function_call"] ?? part["toolUse"];
  if (isJsonObject(call)) return callPart(call);
  const result = part["functionResponse"] ?? part["function_response"] ?? part["toolResult"];
  return isJsonObject(result) ? resultPart(result, depth) : undefined;
}

/** A tool call in any spelling. */
export function callPart(call: JsonObject): ChatPart {
  const inner = isJsonObject(call["function"]) ? call["function"] : call;
  // An item of the Responses API has an id of its own beside the call's, which its result names.
  const id = firstText(call, "call_id", "toolCallId", "tool_call_id", "toolUseId", "id");
  const name =
    firstText(inner, "name", "toolName", "tool_name", "function_name", "function") ??
    firstText(call, "name", "toolName");
  const given = inner["arguments"] ?? inner["args"] ?? inner["input"];
  return {
    is: "call",
    ...(id === undefined ? {} : { id }),
    name: name === undefined || name === "" ? "unknown" : name,
    text: argumentsText(given),
  };
}

/** What a tool gave back, in any spelling. */
function resultPart(result: JsonObject, depth: number): ChatPart {
  const id = firstText(result, "tool_call_id", "toolCallId", "call_id", "tool_use_id", "toolUseId", "id");
  const name = firstText(result, "name", "toolName", "tool_name");
  const said = result["content"] ?? result["output"] ?? result["result"] ?? result["response"];
  const { error } = result;
  const isComplaint =
    (said ?? "") === "" && (isJsonObject(error) || (typeof error === "string" && error !== ""));
  return {
    is: "result",
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    text: resultText(isComplaint ? error : said, depth + 1),
    failed: isComplaint || saysFailed(result) || result["type"] === "tool-error" || isFailedOutput(said),
  };
}

/** True for a tool's message or result that calls itself an error. */
export function saysFailed(result: JsonObject): boolean {
  return result["is_error"] === true || result["isError"] === true || result["status"] === "error";
}

/** An output that says itself that the tool failed: the AI SDK's `{type: "error-text"}` and its kin, MCP's `isError`. */
export function isFailedOutput(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const type = firstText(value, "type") ?? "";
  const isTyped = (type === "error-text" || type === "error-json") && "value" in value;
  return isTyped || type === "execution-denied" || (isProtocolResult(value) && saysFailed(value));
}

/** A result of the Model Context Protocol: `{content: [parts]}`. */
function isProtocolResult({ content, isError }: JsonObject): boolean {
  return typeof isError === "boolean" && Array.isArray(content) && content.every(isReadable);
}

/** A tool's result as text; AI SDK wraps it as `{type, value}`. */
export function resultText(value: unknown, depth = 0): string {
  if (isJsonObject(value)) {
    const type = firstText(value, "type") ?? "";
    if (["text", "json", "error-text", "error-json", "content"].includes(type) && "value" in value) {
      return resultText(value["value"], depth + 1);
    }
    if (isProtocolResult(value)) return resultText(value["content"], depth + 1);
    if (type === "execution-denied") return firstText(value, "reason") ?? "denied";
    return type === "text" ? (firstText(value, "text") ?? jsonText(value)) : jsonText(value);
  }
  if (Array.isArray(value) && value.length > 0 && value.every(isReadable)) {
    return contentParts(value, depth)
      .map(({ text }) => text)
      .join("\n");
  }
  return value === null ? "" : jsonText(value);
}

function isReadable(part: unknown): boolean {
  if (!isJsonObject(part)) return false;
  const { type, text } = part;
  // Bedrock's parts have no type: `{text}`.
  if (type === undefined) return typeof text === "string" && Object.keys(part).length === 1;
  return typeof type === "string" && (typeof text === "string" || MEDIA.has(type));
}

function reasoningParts(part: JsonObject, depth: number): ChatPart[] {
  // What a provider encrypted is noise; its summary, where there is one, is not.
  const own =
    part["redacted"] === true ? undefined : firstText(part, "reasoning", "thinking", "text", "content");
  const text =
    own ??
    contentParts(part["summary"], depth + 1)
      .map((piece) => piece.text)
      .join("\n");
  return text === "" ? [] : [{ is: "reasoning", text }];
}

/**
 * `[image https://host/picture.png]`: without query and fragment, which is where access tokens stand. Bytes
 * become a data URI.
 */
function mediaText(type: string, part: JsonObject): string {
  const bodies = [part["source"], part["image_url"], part["input_audio"], part["file"], part].filter(
    isJsonObject,
  );
  for (const body of bodies) {
    const data = firstText(body, "data", "file_data");
    const mediaType = firstText(body, "mimeType", "mime_type", "media_type", "mediaType");
    if (data !== undefined) {
      return data.startsWith("data:")
        ? data
        : `data:${mediaType ?? "application/octet-stream"};base64,${data}`;
    }
    const address = firstText(body, "url", "image_url", "uri", "path", type);
    if (address !== undefined) {
      return address.startsWith("data:") ? address : `[${type} ${address.split(/[?#]/, 1)[0]}]`;
    }
  }
  return `[${type}]`;
}

/** The first of these fields that is a text. */
export function firstText(object: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (typeof value === "string") return value;
  }
  return undefined;
}
