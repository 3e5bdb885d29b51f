import { blockKindOf, type Block, type BlockState } from "@agent-step-value/sdk/capture";
import type { ChannelNames } from "./channel-names.ts";
import { contentTexts } from "./content-texts.ts";
import { conversationBlocks } from "./message-blocks.ts";
import { isMessage, isMessageInput, type MessageLike } from "./message-like.ts";
import { plainText } from "./plain-text.ts";

function isConversation(value: unknown): value is MessageLike[] {
  return Array.isArray(value) && value.length > 0 && value.every(isMessageInput);
}

/** A retrieved document: its text is what the agent saw, its metadata is the store's. */
function documentText(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { pageContent } = value as { pageContent?: unknown };
  return typeof pageContent === "string" ? pageContent : undefined;
}

function isPrompt(value: object): value is { toChatMessages(): unknown } {
  return typeof (value as { toChatMessages?: unknown }).toChatMessages === "function";
}

/** Texts of a list whose items each read well on their own; undefined for any other list. */
function itemTexts(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const texts = value.map((item: unknown) => (typeof item === "string" ? item : documentText(item)));
  return texts.every((text) => text !== undefined) ? (texts as string[]) : undefined;
}

/** Parts of a message's content that stand in a channel of their own. */
function partTexts(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const typed = value.every((part: unknown) => typeof (part as { type?: unknown } | null)?.type === "string");
  const parts = typed ? contentTexts(value) : [];
  return parts.length === value.length ? parts.map((part) => part.text) : undefined;
}

/** In the middle of other values, a message is what may be shown of it and a document is its text. */
function shownInside(value: object): unknown {
  if (isMessage(value)) return conversationBlocks([value]);
  return documentText(value);
}

function channelBlocks(name: string, value: unknown, names: ChannelNames): Block[] {
  if (isConversation(value)) return conversationBlocks(value);
  if (isMessage(value)) return conversationBlocks([value]);
  const kind = blockKindOf(name);
  if (!names.isPlain(name)) {
    return [{ kind, name: "field", text: plainText(Object.fromEntries([[name, value]]), shownInside) }];
  }
  const texts = itemTexts(value) ?? partTexts(value) ?? [plainText(value, shownInside)];
  return texts.map((text) => ({ kind, name, text }));
}

/** A channel that holds nothing yet. False, 0 and {} are something. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return Array.isArray(value) && value.length === 0;
}

function readChannel(name: string, read: () => unknown, names: ChannelNames): Block[] {
  try {
    const value = read();
    return isEmpty(value) ? [] : channelBlocks(name, value, names);
  } catch {
    return [{ kind: "other", name, text: "[unreadable]" }];
  }
}

/** Channels of the framework's own that say nothing about the state. */
function isInternal(name: string): boolean {
  return (
    name.startsWith("__") || name === "lg_tool_call" || name === "jumpTo" || name.startsWith("branch:to:")
  );
}

/**
 * A graph's state, or the value that flows through a Runnable, as an ordered list of typed blocks.
 *
 * Messages go by allow-list ({@link conversationBlocks}); every other channel becomes a block by its
 * name, one an item where its items are texts or documents. Never throws, never changes its input,
 * never runs a host's `toJSON`.
 */
export function graphStateBlocks(state: unknown, names: ChannelNames): BlockState {
  if (typeof state === "object" && state !== null && !Array.isArray(state) && !isMessage(state)) {
    try {
      if (isPrompt(state)) return graphStateBlocks(state.toChatMessages(), names);
      const channels = Object.keys(state).filter((name) => !isInternal(name));
      const read = (name: string) => (state as Record<string, unknown>)[name];
      return { blocks: channels.flatMap((name) => readChannel(name, () => read(name), names)) };
    } catch {
      return { blocks: [{ kind: "other", text: "[unreadable]" }] };
    }
  }
  return { blocks: readChannel("value", () => state, names) };
}
