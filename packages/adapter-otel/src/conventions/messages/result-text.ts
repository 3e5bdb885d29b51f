import { callIdOf } from "./call-id.ts";
import { field, isMap, jsonText, opened, textField, textOf, type JsonMap } from "./foreign-json.ts";
import { mediaText } from "./media-text.ts";

/** What a tool gave back, out of the wrapping its framework put round it. */
export interface ToolResult {
  readonly text: string | undefined;
  readonly failed: boolean;
  /** Id of the call it answers, where the wrapping tells. */
  readonly id?: string;
  readonly name?: string;
}

const TEXT_TYPES = /^(?:text|input_text|output_text|summary_text|reasoning_text|refusal)$/;

/** The text of typed parts (`[{type: "text", text}]`, or Bedrock's `[{text}]`), undefined for any other list. */
export function partsText(parts: readonly unknown[]): string | undefined {
  if (parts.length === 0) return undefined;
  const texts: string[] = [];
  for (const part of parts) {
    if (!isMap(part)) return undefined;
    const type = field(part, "type");
    const isText = typeof type === "string" ? TEXT_TYPES.test(type) : Object.keys(part).length === 1;
    const text = (isText ? textField(part, "text", "content", "refusal") : undefined) ?? mediaText(part);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts.join("\n");
}

/** A LangChain message of a tool, whichever way it was serialised. */
function toolMessage(map: JsonMap): JsonMap | undefined {
  const inner = field(map, "kwargs");
  const body = isMap(inner) && Object.hasOwn(map, "lc") ? inner : map;
  const whole = textField(body, "tool_call_id") !== undefined && Object.hasOwn(body, "content");
  return whole ? body : undefined;
}

/** An AI SDK tool output: `{type: "json" | "text" | "error-text" | ..., value}`. */
function typedOutput(map: JsonMap): ToolResult | undefined {
  const type = field(map, "type");
  if (typeof type !== "string") return undefined;
  if (type === "execution-denied") return { text: textField(map, "reason") ?? "denied", failed: true };
  if (!/^(?:error-)?(?:text|json|content)$/.test(type) || !Object.hasOwn(map, "value")) return undefined;
  const { value } = map;
  const text = Array.isArray(value) ? partsText(value) : undefined;
  return { text: text ?? textOf(value) ?? "null", failed: type.startsWith("error-") };
}

/** A result of the Model Context Protocol: `{content: [parts], isError}`. */
function protocolResult(map: JsonMap): ToolResult | undefined {
  const content = field(map, "content");
  if (!Array.isArray(content)) return undefined;
  const text = partsText(content);
  return text === undefined ? undefined : { text, failed: field(map, "isError", "is_error") === true };
}

/**
 * What a tool gave, as the model is shown it: framework messages, MCP results, typed outputs and lists
 * of text parts are unwrapped; everything else stays as it is, objects as JSON.
 */
export function toolResult(value: unknown): ToolResult {
  if (value === undefined) return { text: undefined, failed: false };
  const open = opened(value);
  if (Array.isArray(open)) {
    return {
      text: partsText(open) ?? (typeof value === "string" ? textOf(value) : jsonText(open)),
      failed: false,
    };
  }
  if (!isMap(open)) return { text: textOf(value) ?? "null", failed: false };
  const keys = Object.keys(open);
  if (keys.length === 1 && keys[0] === "output" && isMap(open["output"])) return toolResult(open["output"]);
  const message = toolMessage(open);
  if (message !== undefined) {
    const inner = toolResult(field(message, "content") ?? "");
    const id = callIdOf(field(message, "tool_call_id"));
    const name = textField(message, "name");
    return {
      text: inner.text,
      failed: inner.failed || field(message, "status") === "error",
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
    };
  }
  const answered = callIdOf(field(open, "call_id"));
  if (field(open, "type") === "function_result" && answered !== undefined) {
    return { ...toolResult(field(open, "result")), id: answered };
  }
  return typedOutput(open) ?? protocolResult(open) ?? { text: textOf(value), failed: false };
}
