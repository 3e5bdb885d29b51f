import { MockLanguageModelV4, convertArrayToReadableStream } from "ai/test";
import { questions, type Turn } from "./questions.ts";

type Generated = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;
type Prompt = Parameters<MockLanguageModelV4["doGenerate"]>[0]["prompt"];
type StreamPart =
  Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer T> ? T : never;

function askedText(prompt: Prompt): string | undefined {
  const asked = prompt.find((message) => message.role === "user");
  const part = asked?.content.find((one) => one.type === "text");
  return part?.text;
}

/** The turn of a conversation is read from the conversation itself, so that runs may share one model. */
function turnOf(prompt: Prompt): { turn: Turn; place: number } {
  const place = prompt.filter((message) => message.role === "assistant").length;
  const question = questions.find(({ text }) => text === askedText(prompt));
  return { turn: question?.turns[place] ?? { answer: "I do not know." }, place };
}

function contentOf(turn: Turn, place: number): Generated["content"] {
  if ("answer" in turn) return [{ type: "text", text: turn.answer }];
  const calls: [string, object][] = [];
  if (turn.search !== undefined) calls.push(["search_notes", { query: turn.search }]);
  for (const id of turn.read ?? []) calls.push(["read_note", { id }]);
  return [
    ...(turn.say === undefined ? [] : [{ type: "text" as const, text: turn.say }]),
    ...calls.map(([toolName, input], i) => ({
      type: "tool-call" as const,
      toolCallId: `call-${place}-${i}`,
      toolName,
      input: JSON.stringify(input),
    })),
  ];
}

/** One token for four characters, as an estimate. */
function tokens(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4);
}

function generate(prompt: Prompt): Generated {
  const { turn, place } = turnOf(prompt);
  const content = contentOf(turn, place);
  const reason = "answer" in turn ? ("stop" as const) : ("tool-calls" as const);
  return {
    content,
    finishReason: { unified: reason, raw: reason },
    usage: {
      inputTokens: { total: tokens(prompt), noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: tokens(content), text: undefined, reasoning: undefined },
    },
    warnings: [],
  };
}

function streamParts({ content, finishReason, usage }: Generated): StreamPart[] {
  const parts: StreamPart[] = [{ type: "stream-start", warnings: [] }];
  for (const part of content) {
    if (part.type === "tool-call") parts.push(part);
    if (part.type !== "text") continue;
    parts.push({ type: "text-start", id: "text" });
    for (const delta of part.text.split(/(?<= )/)) parts.push({ type: "text-delta", id: "text", delta });
    parts.push({ type: "text-end", id: "text" });
  }
  return [...parts, { type: "finish", finishReason, usage }];
}

/** A model that follows the script of the question it is asked, without key or network. */
export function scriptedModel(): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    provider: "scripted",
    modelId: "scripted",
    doGenerate: ({ prompt }) => Promise.resolve(generate(prompt)),
    doStream: ({ prompt }) =>
      Promise.resolve({ stream: convertArrayToReadableStream(streamParts(generate(prompt))) }),
  });
}
