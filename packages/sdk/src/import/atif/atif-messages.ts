import type { ChatMessage, ChatPart } from "../chat/chat-message.ts";
import { callPart, contentParts, resultText } from "../chat/content-parts.ts";
import type { AtifStep } from "./atif-record.ts";

/** The messages of one ATIF step: what was said or called, then what came back. */
export function atifMessages(step: AtifStep): ChatMessage[] {
  const { source, message, reasoning_content: reasoning, tool_calls: calls, observation } = step;
  const role = source === "agent" ? "assistant" : source;
  const parts: ChatPart[] = [
    ...(reasoning ? [{ is: "reasoning", text: reasoning } as const] : []),
    ...contentParts(message),
    ...(calls ?? []).map((call) => callPart(call as never)),
  ];
  const results = (observation?.results ?? []).flatMap(({ source_call_id: id, content }): ChatPart[] =>
    content == null
      ? []
      : [{ is: "result", ...(id ? { id } : {}), text: resultText(content), failed: false }],
  );
  return [{ role, parts }, ...(results.length === 0 ? [] : [{ role: "tool", parts: results }])];
}

/** Results that are kept in another trajectory and nowhere else. */
export function resultsElsewhere({ observation }: AtifStep): number {
  return (observation?.results ?? []).filter(
    ({ content, subagent_trajectory_ref: elsewhere }) =>
      content == null && elsewhere !== undefined && elsewhere !== null,
  ).length;
}
