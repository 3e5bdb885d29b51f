import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { questions, type Turn } from "./questions.ts";

interface Call {
  id: string;
  name: string;
  args: Record<string, unknown>;
}

function callsOf(turn: Turn, place: number): Call[] {
  if ("answer" in turn) return [];
  const calls: Omit<Call, "id">[] = [];
  if (turn.search !== undefined) calls.push({ name: "search_notes", args: { query: turn.search } });
  for (const id of turn.read ?? []) calls.push({ name: "read_note", args: { id } });
  return calls.map((call, i) => ({ id: `call-${place}-${i}`, ...call }));
}

/** One token for four characters, as an estimate. */
function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/**
 * A model that follows the script of the question it is asked, without key or network. It holds no
 * state: which turn it is, it reads from the conversation, so that runs may share one.
 */
export class ScriptedModel extends BaseChatModel {
  constructor() {
    super({});
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]) {
    const asked = messages.find((message) => message.getType() === "human")?.text;
    const place = messages.filter((message) => message.getType() === "ai").length;
    const turn = questions.find((question) => question.text === asked)?.turns[place];
    const message = this.#message(turn ?? { answer: "I do not know." }, place, messages);
    return Promise.resolve({ generations: [{ text: message.text, message }] });
  }

  #message(turn: Turn, place: number, messages: readonly BaseMessage[]): AIMessage {
    const content = "answer" in turn ? turn.answer : (turn.say ?? "");
    const tool_calls = callsOf(turn, place);
    const input_tokens = messages.reduce((sum, message) => sum + tokens(message.text), 0);
    const output_tokens = tokens(content + JSON.stringify(tool_calls));
    const usage_metadata = { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
    return new AIMessage({ content, tool_calls, usage_metadata } as never);
  }
}
