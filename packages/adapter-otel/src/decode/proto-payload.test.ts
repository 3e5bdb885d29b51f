import type { OtelSpan } from "../spans/otel-span.ts";
import { SpanKind, SpanStatusCode, type Attributes } from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base";
import { describe, expect, it } from "vitest";
import {
  jsonLine,
  jsonLogLine,
  logRecords,
  protoLogMessage,
  protoMessage,
} from "../import/asv-spans.test-support.ts";
import { decode } from "./decoding.test-support.ts";

/** Spans with everything a span can have, made by the official SDK. */
function fullSpans(): ReadableSpan[] {
  const exporter = new InMemorySpanExporter();
  const resource = resourceFromAttributes({ "service.name": "s", "process.pid": 7 });
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const attributes: Attributes = {
    text: "“灯台” 🗼",
    empty: "",
    yes: true,
    no: false,
    zero: 0,
    negative: -5,
    large: 2 ** 53 - 1,
    fraction: 0.1,
    list: ["a", "b"],
    numbers: [1, 2.5],
  };
  const tracer = provider.getTracer("lib", "1.2");
  const parent = tracer.startSpan("parent", { kind: SpanKind.SERVER });
  const link = { context: parent.spanContext() };
  const child = provider.getTracer("other").startSpan("child", { attributes, links: [link] });
  child.addEvent("happened", { why: "x" });
  child.setStatus({ code: SpanStatusCode.ERROR, message: "it broke" });
  child.end();
  parent.end();
  return exporter.getFinishedSpans();
}

function comparable(spans: readonly OtelSpan[]): unknown[] {
  return spans.map((span) => ({ ...span, order: 0 })).sort((a, b) => (a.spanId < b.spanId ? -1 : 1));
}

describe("readProtoPayload", () => {
  it("reads of the official serializer's bytes what JSON says", async () => {
    const spans = fullSpans();
    const [json, proto] = [await decode(jsonLine(spans)), await decode(protoMessage(spans), "proto")];
    expect(proto.failure).toBeUndefined();
    expect(comparable(proto.spans)).toEqual(comparable(json.spans));
    const child = proto.spans.find(({ name }) => name === "child")!;
    expect(Object.fromEntries(child.attributes)).toEqual(
      spans.find(({ name }) => name === "child")!.attributes,
    );
    expect(child.status).toEqual({ code: "error", message: "it broke" });
    expect(child.links).toHaveLength(1);
    expect(child.events).toMatchObject([{ name: "happened" }]);
    expect(child.startNanos > 1_700_000_000_000_000_000n).toBe(true);
  });

  it("tells log records from spans, with structured bodies", async () => {
    const body = { blocks: [{ kind: "task", text: "t", n: 1, yes: true, none: null }] };
    const logs = logRecords([
      { eventName: "asv.state", body: "text", attributes: { "asv.state.length": 4 } },
      { eventName: "asv.state", body, attributes: {} },
    ]);
    const [json, proto] = [await decode(jsonLogLine(logs)), await decode(protoLogMessage(logs), "proto")];
    expect(proto.spans).toEqual([]);
    expect(proto.logs).toEqual(json.logs);
    expect(proto.logs.map(({ body: held }) => held)).toEqual(["text", body]);
    expect(proto.logs[0]).toMatchObject({
      eventName: "asv.state",
      scope: { name: "@agent-step-value/test" },
    });
  });

  it("keeps the spans beside a damaged one, and counts other signals", async () => {
    const good = field(
      2,
      Buffer.concat([
        field(1, Buffer.alloc(16, 1)),
        field(2, Buffer.alloc(8, 2)),
        field(5, Buffer.from("ok")),
      ]),
    );
    const damaged = field(2, Buffer.concat([field(1, Buffer.alloc(16, 1)), Buffer.from([0x12, 0x50, 0x01])]));
    const message = field(1, field(2, Buffer.concat([good, damaged, good])));
    const { spans, invalid } = await decode(message, "proto");
    expect(spans.map(({ name }) => name)).toEqual(["ok", "ok"]);
    expect(invalid).toHaveLength(1);
    // A metric: a name and a gauge.
    const metric = field(
      2,
      Buffer.concat([field(1, Buffer.from("sixteen-letters!")), field(5, Buffer.alloc(0))]),
    );
    expect((await decode(field(1, field(2, metric)), "proto")).other).toBe(1);
  });

  it("refuses values nested too deeply, and bytes that are no message", async () => {
    let value = field(1, Buffer.from("x"));
    for (let depth = 0; depth < 400; depth++) value = field(5, field(1, value));
    const attribute = field(9, Buffer.concat([field(1, Buffer.from("k")), field(2, value)]));
    const span = Buffer.concat([field(1, Buffer.alloc(16, 1)), field(2, Buffer.alloc(8, 2)), attribute]);
    expect((await decode(field(1, field(2, field(2, span))), "proto")).invalid).toHaveLength(1);
    for (let end = 1; end < 12; end++) {
      const cut = field(1, field(2, field(2, Buffer.alloc(10, 1)))).subarray(0, end);
      const { spans, failure, invalid } = await decode(cut, "proto");
      expect([spans, (failure === undefined ? 0 : 1) + invalid.length]).toEqual([[], 1]);
    }
  });
});

/** A length-delimited field. */
function field(number: number, content: Uint8Array): Buffer {
  const bytes = [(number << 3) | 2];
  for (let length = content.length; ; length >>>= 7) {
    bytes.push(length > 127 ? (length & 127) | 128 : length);
    if (length <= 127) break;
  }
  return Buffer.concat([Buffer.from(bytes), content]);
}
