import type { CaptureTask } from "@agent-step-value/sdk/capture";
import { contentTexts } from "../projection/content-texts.ts";
import { isMessageInput, messageRole } from "../projection/message-like.ts";

function lastAsked(messages: readonly unknown[]): string | undefined {
  for (const message of messages.toReversed()) {
    if (typeof message === "string") return message;
    if (Array.isArray(message) && (message[0] === "user" || message[0] === "human"))
      return String(message[1]);
    if (!isMessageInput(message) || messageRole(message) !== "human") continue;
    return contentTexts(message.content)
      .filter((part) => !part.text.startsWith("data:"))
      .map((part) => part.text)
      .join("\n");
  }
  return undefined;
}

/** The task of a run that was wrapped without one: the question is the last thing the user said. */
export function askedTask(input: unknown): CaptureTask {
  const value = input as { messages?: unknown; question?: unknown; input?: unknown } | null | undefined;
  const { messages, question, input: text } = value ?? {};
  const list = Array.isArray(messages) ? messages : Array.isArray(input) ? input : [messages];
  const asked = lastAsked(list) ?? [question, text].find((candidate) => typeof candidate === "string");
  return { question: typeof asked === "string" ? asked : "" };
}
