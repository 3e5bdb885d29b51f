import { isJsonObject, type JsonObject } from "../../schema/index.ts";
import { chatRole, type ChatMessage } from "./chat-message.ts";
import { callPart, contentParts, firstText } from "./content-parts.ts";
import { readMessage } from "./read-message.ts";

/** Fields that hold what a call was given and what it gave back, the most telling first. */
const FIELDS = {
  user: ["messages", "input", "contents", "prompt", "history", "chat_history"],
  assistant: ["output", "messages", "message", "generations", "content"],
} as const;
/** Fields that hold what the model is told before it. */
const SYSTEM = ["system", "instructions", "system_prompt", "systemPrompt"] as const;
/** Lists in lists, choices in responses: read to this depth. */
const MOST_DEPTH = 4;

/**
 * The conversation in what a call was given or gave back: a message, a list of messages, a request
 * (`{messages}`, `{system, messages}`, `{prompt}`, `{input}`, `{contents}`), a response (`{choices}`, `{output}`,
 * `{text, toolCalls}`), or a bare text.
 *
 * @param role who speaks where the value does not say
 * @returns undefined where nothing in it is a message or a text
 */
export function readMessages(
  value: unknown,
  role: "user" | "assistant",
  depth = 0,
): ChatMessage[] | undefined {
  if (depth > MOST_DEPTH) return undefined;
  if (typeof value === "string") {
    return value.trim() === "" ? undefined : [{ role, parts: [{ is: "text", text: value }] }];
  }
  if (Array.isArray(value)) return listOf(value, role, depth);
  if (!isJsonObject(value)) return undefined;
  return readMessage(value) ?? container(value, role, depth);
}

function listOf(
  values: readonly unknown[],
  role: "user" | "assistant",
  depth: number,
): ChatMessage[] | undefined {
  // LangChain hands a batch of conversations to a model; a run has one of them.
  if (values.length === 1 && Array.isArray(values[0])) return readMessages(values[0], role, depth + 1);
  const messages: ChatMessage[] = [];
  let readable = false;
  for (const value of values) {
    const read = readMessage(value) ?? contentOf(value, role);
    if (read === undefined) continue;
    readable = true;
    for (const message of read) join(messages, message);
  }
  return readable ? messages : undefined;
}

/** Parts of a content that stand in a list without a message around them. */
function contentOf(value: unknown, role: string): ChatMessage[] | undefined {
  const isPart = typeof value === "string" || (isJsonObject(value) && typeof value["type"] === "string");
  if (!isPart) return undefined;
  const parts = contentParts(value);
  return parts.length === 0 ? undefined : [{ role, parts }];
}

/** Items of one turn that came apart (text, reasoning, calls) are one message again. */
function join(messages: ChatMessage[], next: ChatMessage): void {
  const last = messages.at(-1);
  const isPiece = next.parts.some(({ is }) => is === "call") || last?.parts.every(({ is }) => is !== "text");
  if (last?.role === "assistant" && next.role === "assistant" && isPiece) {
    messages[messages.length - 1] = { ...last, parts: [...last.parts, ...next.parts] };
  } else messages.push(next);
}

function container(value: JsonObject, role: "user" | "assistant", depth: number): ChatMessage[] | undefined {
  if (Array.isArray(value["choices"])) return choiceOf(value["choices"]);
  if (role === "assistant") {
    const reply = replyOf(value);
    if (reply !== undefined) return reply;
  }
  for (const name of FIELDS[role]) {
    const found = Object.hasOwn(value, name) ? readMessages(value[name], role, depth + 1) : undefined;
    if (found !== undefined) return [...systemOf(value), ...found];
  }
  const text = firstText(value, "text", "completion", "generated_text", "response");
  return text === undefined ? undefined : readMessages(text, role, depth + 1);
}

function choiceOf(choices: readonly unknown[]): ChatMessage[] | undefined {
  const [first] = choices;
  if (!isJsonObject(first)) return undefined;
  return readMessage(first["message"]) ?? readMessages(first["text"], "assistant");
}

/** The AI SDK's result: text and calls side by side. */
function replyOf(value: JsonObject): ChatMessage[] | undefined {
  const text = firstText(value, "text");
  const calls = value["toolCalls"] ?? value["tool_calls"];
  if (!Array.isArray(calls) && text === undefined) return undefined;
  const reasoning = firstText(value, "reasoning", "reasoningText");
  const parts = [
    ...(reasoning === undefined ? [] : contentParts({ type: "reasoning", text: reasoning })),
    ...contentParts(text),
    ...(Array.isArray(calls) ? calls.filter(isJsonObject).map(callPart) : []),
  ];
  return parts.length === 0 ? undefined : [{ role: "assistant", parts }];
}

function systemOf(value: JsonObject): ChatMessage[] {
  for (const name of SYSTEM) {
    if (!Object.hasOwn(value, name)) continue;
    const parts = contentParts(value[name]);
    if (parts.length > 0) return [{ role: chatRole("system"), parts }];
  }
  return [];
}
