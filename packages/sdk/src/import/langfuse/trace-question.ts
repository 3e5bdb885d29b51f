import { isJsonObject } from "../../schema/index.ts";
import { messageText, type ChatMessage } from "../chat/chat-message.ts";
import { firstText } from "../chat/content-parts.ts";
import { jsonText } from "../chat/json-text.ts";
import { readMessages } from "../chat/read-messages.ts";
import { langfuseValue } from "./langfuse-value.ts";
import { field, inputOf, isNothing } from "./observation.ts";
import type { StepObservation } from "./observation-roles.ts";
import type { ObservationTree } from "./observation-tree.ts";
import type { LangfuseTrace } from "./langfuse-document.ts";

/** Fields under which programs keep what they were asked. */
const ASKED = [
  "question",
  "query",
  "input",
  "prompt",
  "task",
  "user_input",
  "user_query",
  "message",
  "instruction",
  "problem",
  "topic",
];

/** What the run was asked: in the trace's own input, else in a root's, else in the first model call's. */
export function traceQuestion(
  { trace }: LangfuseTrace,
  tree: ObservationTree,
  steps: readonly StepObservation[],
): string {
  const inputs = [langfuseValue(field(trace, "input"))];
  for (const observation of tree.topDown) {
    if (tree.parentOf(observation) === undefined) inputs.push(inputOf(observation));
  }
  const first = steps.find(({ kind }) => kind === "llm");
  if (first !== undefined) inputs.push(inputOf(first.observation));
  for (const input of inputs) {
    const asked = askedIn(input);
    if (asked !== "") return asked;
  }
  return "";
}

function askedIn(input: unknown): string {
  if (isNothing(input)) return "";
  if (typeof input === "string") return input.trim() === "" ? "" : input;
  const named = isJsonObject(input) ? firstText(input, ...ASKED) : undefined;
  if (named !== undefined && named.trim() !== "") return named;
  const messages = readMessages(input, "user");
  if (messages !== undefined) return lastOfUser(messages);
  return isJsonObject(input) && Object.keys(input).length > 0 ? jsonText(input) : "";
}

/** What the user said last before the agent was at work. */
function lastOfUser(messages: readonly ChatMessage[]): string {
  const said = messages.filter((message) => message.role === "user" && messageText(message).trim() !== "");
  const last = said.at(-1);
  return last === undefined ? "" : messageText(last);
}
