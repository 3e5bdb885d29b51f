import type { Block } from "../../schema/index.ts";
import { messageText, type ChatMessage } from "./chat-message.ts";
import { messageBlocks, newConversation } from "./message-blocks.ts";

/** One turn of the agent: what it said or did, and what came back before its next turn. */
export interface ChatTurn {
  /** Place of the agent's message in the conversation. */
  readonly index: number;
  /** Names of the tools called, or `respond`. */
  readonly type: string;
  readonly calls: number;
  readonly blocks: readonly Block[];
}

/** Type of a turn that calls no tool. */
export const RESPOND = "respond";

/** Type of a turn that calls tools: their names, each once, in the order of the calls. */
export function callsType(message: ChatMessage): string {
  const names = new Set(message.parts.flatMap((part) => (part.is === "call" ? [part.name] : [])));
  return names.size === 0 ? RESPOND : [...names].join("+");
}

/** The first text a user says that is not blank; what a run was asked where its source does not say. */
export function firstQuestion(messages: readonly ChatMessage[]): string {
  for (const message of messages) {
    if (message.role === "user" && messageText(message).trim() !== "") return messageText(message);
  }
  return "";
}

/**
 * A whole conversation as turns of the agent. What stands before its first turn opens the run. What
 * comes between two turns, tool results and what the user says next, belongs to the turn before it:
 * the after-state of a turn is what the agent knows when it acts next.
 *
 * @param isTurn false for a message of the agent that is no turn of this run (context copied from another)
 */
export function chatTurns(
  messages: readonly ChatMessage[],
  question: string,
  isTurn: (index: number) => boolean = () => true,
): { opening: Block[]; turns: ChatTurn[] } {
  const conversation = newConversation(question);
  const opening: Block[] = [];
  const turns: (ChatTurn & { blocks: Block[] })[] = [];
  for (const [index, message] of messages.entries()) {
    const blocks = messageBlocks(message, conversation);
    const starts = message.role === "assistant" && message.parts.length > 0 && isTurn(index);
    if (starts) {
      const calls = message.parts.filter(({ is }) => is === "call").length;
      turns.push({ index, type: callsType(message), calls, blocks });
    } else {
      const known = turns.at(-1)?.blocks ?? opening;
      for (const block of blocks) known.push(block);
    }
  }
  return { opening, turns };
}
