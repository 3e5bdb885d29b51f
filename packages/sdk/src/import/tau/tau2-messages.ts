import { isJsonObject, type JsonObject } from "../../schema/index.ts";

/**
 * The messages of a simulation as the agent had them. The user's own tool calls and their results are the
 * user's, who alone sees them. A spoken (full-duplex) simulation keeps ticks in place of messages; pieces of
 * speech in a row by one speaker are one message.
 */
export function agentView(simulation: JsonObject): { messages: unknown[]; hidden: number; merged: boolean } {
  const { messages, ticks } = simulation;
  const merged = !Array.isArray(messages) && Array.isArray(ticks);
  const all = merged ? spoken(ticks as unknown[]) : ((messages ?? []) as unknown[]);
  let hidden = 0;
  const seen = all.flatMap((message): unknown[] => {
    if (!isJsonObject(message)) return [message];
    if (Array.isArray(message["tool_messages"])) {
      const own = message["tool_messages"].filter((inner) => !isOfUser(inner));
      hidden += message["tool_messages"].length - own.length;
      return own;
    }
    if (isOfUser(message)) {
      hidden += 1;
      return [];
    }
    if (message["role"] !== "user" || !Array.isArray(message["tool_calls"])) return [message];
    hidden += message["tool_calls"].length;
    const { tool_calls: _, ...said } = message;
    return typeof said["content"] === "string" && said["content"].trim() !== "" ? [said] : [];
  });
  return { messages: seen, hidden, merged };
}

function isOfUser(message: unknown): boolean {
  return isJsonObject(message) && message["role"] === "tool" && message["requestor"] === "user";
}

function spoken(ticks: readonly unknown[]): JsonObject[] {
  const messages: JsonObject[] = [];
  for (const tick of ticks) {
    if (!isJsonObject(tick)) continue;
    say(messages, "assistant", tick["agent_chunk"], tick["agent_tool_calls"]);
    for (const result of listOf(tick["agent_tool_results"])) messages.push(result);
    say(messages, "user", tick["user_chunk"], undefined);
  }
  return messages;
}

function say(messages: JsonObject[], role: "user" | "assistant", chunk: unknown, calls: unknown): void {
  // Where a piece is sound, its content is base64; what was said stands nowhere else.
  const isText = isJsonObject(chunk) && chunk["is_audio"] !== true && typeof chunk["content"] === "string";
  const content = isText ? (chunk["content"] as string) : "";
  const made = listOf(calls);
  if (content === "" && made.length === 0) return;
  const last = messages.at(-1);
  if (last?.["role"] === role && made.length === 0 && last["tool_calls"] === undefined) {
    last["content"] = `${last["content"] as string}${content}`;
  } else messages.push({ role, content, ...(made.length > 0 && { tool_calls: made }) });
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
