import type { Block, BlockKind } from "../../schema/index.ts";
import { messageText, type ChatMessage, type ChatPart } from "./chat-message.ts";

/** What is known of a conversation while its messages become blocks. */
export interface Conversation {
  /** The task's question; the first user message that has it is the task. */
  readonly question: string;
  /** True once the task stands among the blocks. */
  asked: boolean;
  /** Names of tools by the id of the call, since many results say the id alone. */
  readonly tools: Map<string, string>;
}

export function newConversation(question: string, tools = new Map<string, string>()): Conversation {
  return { question, asked: false, tools };
}

/**
 * The blocks of one message: the user's first message about the question is the task, text beside tool
 * calls is reasoning, text without them an answer, results are evidence unless the tool failed. Ids and
 * everything a provider adds are left out.
 */
export function messageBlocks(message: ChatMessage, conversation: Conversation): Block[] {
  const acts = message.parts.some(({ is }) => is === "call");
  const isTask = message.role === "user" && !conversation.asked && asks(message, conversation.question);
  conversation.asked ||= isTask;
  return message.parts.flatMap((part) => partBlock(part, message, conversation, { acts, isTask }));
}

/** Blocks of a whole conversation. Where no message asks the question, the task comes first. */
export function conversationBlocks(messages: readonly ChatMessage[], conversation: Conversation): Block[] {
  const blocks = messages.flatMap((message) => messageBlocks(message, conversation));
  if (conversation.asked || conversation.question === "") return blocks;
  conversation.asked = true;
  return [{ kind: "task", text: conversation.question }, ...blocks];
}

function asks(message: ChatMessage, question: string): boolean {
  const text = messageText(message).trim();
  const wanted = question.trim();
  return wanted === "" ? text !== "" : text.includes(wanted);
}

function partBlock(
  part: ChatPart,
  { role, name }: ChatMessage,
  { tools }: Conversation,
  { acts, isTask }: { acts: boolean; isTask: boolean },
): Block[] {
  switch (part.is) {
    case "reasoning":
      return [{ kind: "reasoning", name: name ?? role, text: part.text }];
    case "call":
      if (part.id !== undefined) tools.set(part.id, part.name);
      return [{ kind: "tool_call", name: part.name, text: part.text }];
    case "result": {
      const tool = part.name ?? (part.id === undefined ? undefined : tools.get(part.id)) ?? "tool";
      return [{ kind: part.failed ? "other" : "evidence", name: tool, text: part.text }];
    }
    case "text":
      return [textBlock(part.text, name ?? role, kindOf(role, acts, isTask))];
  }
}

function kindOf(role: string, acts: boolean, isTask: boolean): BlockKind {
  if (isTask) return "task";
  if (role === "assistant") return acts ? "reasoning" : "answer";
  return role === "tool" ? "evidence" : "message";
}

function textBlock(text: string, name: string, kind: BlockKind): Block {
  return kind === "task" ? { kind, text } : { kind, name, text };
}
