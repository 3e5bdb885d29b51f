import type { Block, BlockKind } from "@agent-step-value/sdk";
import { contentTexts } from "./content-texts.ts";
import { messageRole, type MessageLike } from "./message-like.ts";
import { plainText } from "./plain-text.ts";

/** A tool call as the trajectory tells it: which tool, asked what. Ids are left out. */
export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
}

const NO_CALLS: readonly ToolCall[] = [];

/** The tool calls of a message, in the order the model gave them. */
export function toolCallsOf(message: MessageLike): readonly ToolCall[] {
  const calls = message.tool_calls;
  if (!Array.isArray(calls) || calls.length === 0) return NO_CALLS;
  return calls
    .filter((call) => typeof call === "object" && call !== null)
    .map((call: { name?: unknown; args?: unknown }) => ({
      name: typeof call.name === "string" ? call.name : "unknown",
      args: call.args ?? {},
    }));
}

function block(kind: BlockKind, name: string | undefined, text: string): Block {
  return name === undefined || name === "" ? { kind, text } : { kind, name, text };
}

/** The kind and name of a message's text. */
function textBlock(
  message: MessageLike,
  role: string,
  first: boolean,
  acts: boolean,
): { kind: BlockKind; name: string } {
  const own = typeof message.name === "string" ? message.name : undefined;
  switch (role) {
    case "human":
      return { kind: first ? "task" : "message", name: own ?? "user" };
    case "ai": {
      // createAgent names every answer of an agent without a name "model", which says nothing.
      const speaker = own === undefined || own === "model" ? "assistant" : own;
      return { kind: acts ? "reasoning" : "answer", name: speaker };
    }
    case "tool":
    case "function":
      // What a failing tool says is no evidence about the question.
      return { kind: message.status === "error" ? "other" : "evidence", name: own ?? "tool" };
    default:
      return { kind: "message", name: own ?? role };
  }
}

/**
 * Adds the blocks of one message, by allow-list: role, text, reasoning, tool calls with their arguments,
 * tool results as evidence. Ids, `additional_kwargs`, `response_metadata`, usage, artifacts and
 * invalid calls never become part of a state.
 *
 * @param first - true for the first human message of the conversation, which is the task
 */
function addMessage(message: MessageLike, role: string, first: boolean, blocks: Block[]): void {
  const calls = toolCallsOf(message);
  const { kind, name } = textBlock(message, role, first, calls.length > 0);
  for (const part of contentTexts(message.content)) {
    blocks.push(block(part.kind === "reasoning" ? "reasoning" : kind, name, part.text));
  }
  for (const call of calls) blocks.push(block("tool_call", call.name, plainText(call.args)));
}

/** The blocks of a conversation, in its order. */
export function conversationBlocks(messages: readonly MessageLike[]): Block[] {
  const blocks: Block[] = [];
  let asked = false;
  for (const message of messages) {
    const role = messageRole(message);
    const first: boolean = !asked && role === "human";
    asked ||= first;
    addMessage(message, role, first, blocks);
  }
  return blocks;
}
