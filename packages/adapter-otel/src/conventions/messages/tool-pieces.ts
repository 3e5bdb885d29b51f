import { callIdOf } from "./call-id.ts";
import { field, isMap, opened, textOf, type JsonMap } from "./foreign-json.ts";
import type { Piece } from "./piece.ts";
import { toolResult } from "./result-text.ts";

function call(id: unknown, name: unknown, args: unknown): Piece {
  const known = callIdOf(id);
  const label = typeof name === "string" && name !== "" ? name : "unknown";
  return { is: "call", ...(known !== undefined && { id: known }), name: label, args: textOf(args) ?? "{}" };
}

export function resultPiece(id: unknown, name: unknown, value: unknown, failed: boolean): Piece {
  const read = toolResult(value ?? "null");
  const callId = callIdOf(id, read.id);
  const label = typeof name === "string" && name !== "" ? name : read.name;
  return {
    is: "result",
    ...(callId !== undefined && { id: callId }),
    ...(label !== undefined && { name: label }),
    text: read.text,
    ...((failed || read.failed) && { failed: true }),
  };
}

/** A tool call or result in one of the parts that providers and frameworks spell differently. */
export function toolPart(part: JsonMap, type: string): Piece | undefined {
  switch (type) {
    case "tool_call":
    case "tool_use":
    case "server_tool_use":
    case "mcp_call":
    case "function_call":
    case "tool-call": {
      const id = field(part, "call_id", "toolCallId", "id");
      return call(id, field(part, "name", "toolName"), field(part, "arguments", "args", "input"));
    }
    case "function_call_output":
    case "function_result":
    case "tool_call_response":
    case "tool_result":
    case "tool-result":
    case "tool-error": {
      const id = field(part, "call_id", "tool_use_id", "toolCallId", "id");
      const value = field(part, "response", "result", "output", "content", "error");
      const failed = type === "tool-error" || field(part, "is_error", "isError") === true;
      return resultPiece(id, field(part, "name", "toolName"), value, failed);
    }
  }
  return untypedToolPart(part);
}

/** Gemini wants an object from a function; a plain value is wrapped as `{result}`. */
export function plainResponse(response: unknown): unknown {
  if (!isMap(response) || Object.keys(response).length !== 1) return response;
  return Object.hasOwn(response, "result") ? response["result"] : response;
}

/** Gemini and Bedrock name the kind of a part by its only key. */
function untypedToolPart(part: JsonMap): Piece | undefined {
  const asked = field(part, "function_call", "functionCall");
  if (isMap(asked)) return call(field(asked, "id"), field(asked, "name"), field(asked, "args"));
  const gave = field(part, "function_response", "functionResponse");
  if (isMap(gave)) {
    return resultPiece(field(gave, "id"), field(gave, "name"), plainResponse(field(gave, "response")), false);
  }
  const use = field(part, "toolUse");
  if (isMap(use)) return call(field(use, "toolUseId"), field(use, "name"), field(use, "input"));
  const came = field(part, "toolResult");
  if (!isMap(came)) return undefined;
  const content = field(came, "content");
  const json = Array.isArray(content) && isMap(content[0]) ? field(content[0], "json") : undefined;
  const failed = field(came, "status") === "error";
  return resultPiece(field(came, "toolUseId"), undefined, json ?? content, failed);
}

/** Calls that stand beside a message's content, in every provider's spelling. */
export function sideCalls(calls: unknown): Piece[] {
  const open = opened(calls);
  if (!Array.isArray(open)) return [];
  return open.filter(isMap).map((item) => {
    const inner = field(item, "function");
    const body = isMap(inner) ? inner : item;
    const id = field(item, "id", "call_id", "toolCallId", "tool_call_id");
    const name = field(body, "name", "toolName", "tool_name");
    return call(id, name, field(body, "arguments", "args", "input"));
  });
}
