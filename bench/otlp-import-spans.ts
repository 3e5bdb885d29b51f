import { createHash } from "node:crypto";

const BATCH = 500;
const START = 1_790_000_000_000_000_000n;

type Value = { stringValue: string } | { intValue: string };
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Value }[];
}

/** Inputs, each a stream of OTLP JSON lines of so many spans. */
export const CASES = {
  /** No span says anything about an agent; ten a trace. */
  "plumbing, 10 a trace": (spans: number) => lines(spans, (i) => http(i, id(Math.floor(i / 10), 32))),
  /** One trace of a service that never ends, with an agent's call in every thousand spans. */
  "plumbing, one trace": (spans: number) =>
    lines(spans, (i) => (i % 1000 === 999 ? chat(i, id(1, 32), id(i - 1, 16)) : http(i, id(1, 32)))),
  /** Model calls of runs of ten. */
  "model calls, 10 a trace": (spans: number) =>
    lines(spans / 4, (i) =>
      chat(i, id(Math.floor(i / 10), 32), i % 10 === 0 ? undefined : id(i - (i % 10), 16)),
    ),
  /** The toolkit's own spans, ten steps of 1.6 KB states a trajectory. */
  "asv.* spans": (spans: number) => lines(11 * Math.floor(spans / 110), native),
} as const;

/** Spans interleaved in batches as a Collector writes them. */
async function* lines(count: number, make: (i: number) => Span): AsyncGenerator<Buffer> {
  for (let at = 0; at < count; at += BATCH) {
    const spans = Array.from({ length: Math.min(BATCH, count - at) }, (_, i) => make(at + i));
    const scope = spans[0]!.name.startsWith("asv.") ? "@agent-step-value/sdk" : "bench";
    const resource = { attributes: [text("service.name", "bench"), text("host.name", "bench-1")] };
    yield Buffer.from(
      `${JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: scope }, spans }] }] })}\n`,
    );
    await Promise.resolve();
  }
}

function http(i: number, traceId: string): Span {
  return span(i, traceId, i % 10 === 0 ? undefined : id(i - 1, 16), "GET /api/tasks", [
    text("http.request.method", "GET"),
    text("url.path", `/api/tasks/${i}`),
    text("server.address", "tasks.internal"),
    { key: "http.response.status_code", value: { intValue: "200" } },
  ]);
}

function chat(i: number, traceId: string, parent: string | undefined): Span {
  const messages = [
    { role: "user", parts: [{ type: "text", content: `Which light does harbour ${i % 97} show?` }] },
  ];
  const answer = [
    { role: "assistant", parts: [{ type: "text", content: `Light ${i} is green. ${"x".repeat(200)}` }] },
  ];
  return span(i, traceId, parent, "chat bench", [
    text("gen_ai.operation.name", i % 10 === 0 ? "invoke_agent" : "chat"),
    text("gen_ai.request.model", "bench"),
    text("gen_ai.input.messages", JSON.stringify(messages)),
    text("gen_ai.output.messages", JSON.stringify(answer)),
  ]);
}

function native(i: number): Span {
  const run = Math.floor(i / 11);
  const step = i % 11;
  const trajectoryId = `run-${run}`;
  if (step === 10) {
    return span(i, id(run, 32), undefined, "asv.trajectory", [
      { key: "asv.schema.version", value: { intValue: "1" } },
      text("asv.trajectory.id", trajectoryId),
      text("asv.trajectory.status", "complete"),
      { key: "asv.trajectory.step_count", value: { intValue: "10" } },
      text("asv.task.id", `task-${run}`),
    ]);
  }
  const [before, after] = [state(run, step), state(run, step + 1)];
  return span(i, id(run, 32), id(run * 11 + 10, 16), "asv.step", [
    text("asv.trajectory.id", trajectoryId),
    text("asv.step.id", `s-${step}`),
    { key: "asv.step.index", value: { intValue: String(step) } },
    text("asv.step.action", "search"),
    text("asv.state.before", before),
    text("asv.state.before.sha256", sha256(before)),
    { key: "asv.state.before.length", value: { intValue: String(before.length) } },
    text("asv.state.after", after),
    text("asv.state.after.sha256", sha256(after)),
    { key: "asv.state.after.length", value: { intValue: String(after.length) } },
  ]);
}

function state(run: number, step: number): string {
  return `{"blocks":[{"kind":"evidence","text":"run ${run} step ${step} ${"lamp ".repeat(320)}"}]}`;
}

function span(
  i: number,
  traceId: string,
  parentSpanId: string | undefined,
  name: string,
  attributes: Span["attributes"],
): Span {
  const start = START + BigInt(i) * 1_000_000n;
  return {
    traceId,
    spanId: id(i, 16),
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: 1,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + 500_000n),
    attributes,
  };
}

function text(key: string, stringValue: string): { key: string; value: Value } {
  return { key, value: { stringValue } };
}

/** Spread like a random id, and the same every time. */
function id(i: number, digits: number): string {
  return sha256(`${digits}:${i}`).slice(0, digits);
}

function sha256(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}
