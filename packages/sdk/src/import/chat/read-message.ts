import { isJsonObject, type JsonObject } from "../../schema/index.ts";
import { chatRole, type ChatMessage, type ChatPart } from "./chat-message.ts";
import {
  callPart,
  contentParts,
  firstText,
  isFailedOutput,
  resultText,
  saysFailed,
} from "./content-parts.ts";

/** LangChain writes a message as a constructor and its arguments. */
function unwrapped(value: JsonObject): JsonObject {
  const { kwargs, id } = value;
  if (!isJsonObject(kwargs) || !Array.isArray(id)) return value;
  const className = id.at(-1);
  return typeof className === "string" && kwargs["type"] === undefined
    ? { ...kwargs, type: className }
    : kwargs;
}

/** Types of messages; the same field also says what a part of a content is. */
const SPEAKERS = new Set(["system", "user", "assistant", "tool"]);

function roleOf(message: JsonObject): string | undefined {
  const role = firstText(message, "role");
  if (role !== undefined && role.trim() !== "") return chatRole(role);
  const type = firstText(message, "type");
  if (type === undefined) return undefined;
  const spoken = chatRole(type);
  return SPEAKERS.has(spoken) ? spoken : undefined;
}

/**
 * Some exporters list the tools a model may call as further messages of the tool. They say nothing that
 * anybody said.
 */
function isToolDefinition(role: string, content: unknown): boolean {
  if (role !== "tool" || !isJsonObject(content)) return false;
  const inner = content["function"];
  return isJsonObject(inner) && typeof inner["name"] === "string" && inner["arguments"] === undefined;
}

/**
 * The messages of one value, or undefined where it is none: OpenAI chat and responses items, LangChain (plain and
 * as constructor), Anthropic, Gemini, AI SDK, OpenTelemetry GenAI, Inspect, tau2.
 *
 * A tool definition that stands among messages is an empty list.
 */
export function readMessage(value: unknown): ChatMessage[] | undefined {
  if (!isJsonObject(value)) return undefined;
  const message = unwrapped(value);
  if (Array.isArray(message["tool_messages"])) {
    return message["tool_messages"].flatMap((inner) => readMessage(inner) ?? []);
  }
  const role = roleOf(message);
  if (role === undefined) return responsesItem(message);
  const content = message["content"] ?? message["parts"] ?? message["text"];
  if (isToolDefinition(role, content)) return [];
  const name = firstText(message, "name");
  const parts =
    role === "tool"
      ? toolParts(message, content)
      : [...ownReasoning(message), ...contentParts(content), ...calls(message)];
  return [{ role, ...(name === undefined || role === "tool" ? {} : { name }), parts: withoutTwins(parts) }];
}

/** What a tool said: its own parts where they are results, else all of its content as one. */
function toolParts(message: JsonObject, content: unknown): ChatPart[] {
  const parts = contentParts(content);
  if (parts.length > 0 && parts.every(({ is }) => is === "result")) return parts;
  const id = firstText(message, "tool_call_id", "toolCallId", "call_id", "id");
  const name = firstText(message, "name", "function", "tool_name", "toolName");
  const { error } = message;
  const failed =
    error === true ||
    isJsonObject(error) ||
    (typeof error === "string" && error !== "") ||
    saysFailed(message) ||
    isFailedOutput(content);
  const said = resultText(content);
  const complaint = isJsonObject(error)
    ? firstText(error, "message")
    : typeof error === "string"
      ? error
      : undefined;
  const text =
    complaint === undefined || said.includes(complaint) ? said : [said, complaint].filter(Boolean).join("\n");
  return [
    {
      is: "result",
      ...(id === undefined ? {} : { id }),
      ...(name === undefined ? {} : { name }),
      text,
      failed,
    },
  ];
}

function ownReasoning(message: JsonObject): ChatPart[] {
  const text = firstText(message, "reasoning_content", "reasoning");
  return text === undefined || text === "" ? [] : [{ is: "reasoning", text }];
}

function calls(message: JsonObject): ChatPart[] {
  const further = message["additional_kwargs"];
  const lists = [message["tool_calls"], message["toolCalls"]];
  if (isJsonObject(further)) lists.push(further["tool_calls"]);
  const list = lists.find((found): found is JsonObject[] => Array.isArray(found) && found.length > 0);
  if (list !== undefined) return list.filter(isJsonObject).map(callPart);
  const single = message["function_call"] ?? (isJsonObject(further) ? further["function_call"] : undefined);
  return isJsonObject(single) ? [callPart(single)] : [];
}

/** A call that stands in the content and in the list of calls is one call. */
function withoutTwins(parts: readonly ChatPart[]): ChatPart[] {
  const seen = new Set<string>();
  return parts.filter((part) => {
    if (part.is !== "call" || part.id === undefined) return true;
    const first = !seen.has(part.id);
    seen.add(part.id);
    return first;
  });
}

/** An item of OpenAI's Responses API, or a bare tool call. */
function responsesItem(item: JsonObject): ChatMessage[] | undefined {
  const type = firstText(item, "type") ?? "";
  if (type === "function_call_output") return [{ role: "tool", parts: contentParts(item) }];
  if (type === "function_call" || type === "reasoning")
    return [{ role: "assistant", parts: contentParts(item) }];
  const isCall =
    firstText(item, "toolName") !== undefined || (type === "function" && isJsonObject(item["function"]));
  return isCall && item["result"] === undefined
    ? [{ role: "assistant", parts: [callPart(item)] }]
    : undefined;
}
