import { describe, expect, it } from "vitest";
import { decode } from "./decoding.test-support.ts";

const TRACE = "5b8efff798038103d269b633813fc60c";
const [SPAN, PARENT] = ["eee19b7ec3c1b174", "eee19b7ec3c1b173"];

/** What every layout below says. */
const wanted = {
  traceId: TRACE,
  spanId: SPAN,
  parentSpanId: PARENT,
  name: "chat",
  startNanos: 1770131992242000001n,
  endNanos: 1770131992242000999n,
  status: { code: "error", message: "no" },
};

describe("readJsonPayload", () => {
  it("reads OTLP in both spellings, with strings or numbers, names or codes", async () => {
    const camel = `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"s"}}]},
      "scopeSpans":[{"scope":{"name":"lib","version":"2"},"spans":[{"traceId":"${TRACE}","spanId":"${SPAN}","parentSpanId":"${PARENT}",
      "name":"chat","kind":3,"startTimeUnixNano":"1770131992242000001","endTimeUnixNano":1770131992242000999,
      "attributes":[{"key":"n","value":{"intValue":"9007199254740993"}}],
      "events":[{"timeUnixNano":"7","name":"e","attributes":[{"key":"k","value":{"boolValue":true}}]}],
      "links":[{"traceId":"${TRACE}","spanId":"${PARENT}"}],"status":{"code":2,"message":"no"}}]}]}]}`;
    const snake = camel
      .replaceAll(
        /"(\w+)":/g,
        (_, key: string) => `"${key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}":`,
      )
      .replace('"code":2', '"code":"STATUS_CODE_ERROR"');
    for (const text of [camel, snake]) {
      const { spans, failure, invalid } = await decode(text);
      expect([failure, invalid]).toEqual([undefined, []]);
      expect(spans).toMatchObject([{ ...wanted, scope: { name: "lib", version: "2" } }]);
      const [span] = spans;
      expect(span!.attributes.get("n")).toBe(9007199254740993n);
      expect(span!.resource.get("service.name")).toBe("s");
      expect(span!.events[0]).toMatchObject({ name: "e", timeNanos: 7n });
      expect(span!.links).toEqual([{ traceId: TRACE, spanId: PARENT }]);
    }
  });

  it("reads Tempo's spelling, wrapped or not", async () => {
    const batch = `"batches":[{"resource":{},"instrumentationLibrarySpans":[{"spans":[{"traceId":"${TRACE}","spanId":"${SPAN}","parentSpanId":"${PARENT}",
      "name":"chat","kind":"SPAN_KIND_CLIENT","startTimeUnixNano":1770131992242000001,"endTimeUnixNano":1770131992242000999,
      "status":{"code":"STATUS_CODE_ERROR","message":"no"}}],"instrumentationLibrary":{"name":"lib"}}]}]`;
    for (const text of [`{${batch}}`, `{"trace":{${batch}}}`]) {
      expect((await decode(text)).spans).toMatchObject([{ ...wanted, scope: { name: "lib" } }]);
    }
  });

  it("reads dumps of the SDKs' spans, in lists, under `spans` and alone", async () => {
    const dumps = [
      // JavaScript
      `{"name":"chat","spanContext":{"traceId":"${TRACE}","spanId":"${SPAN}"},"parentSpanContext":{"spanId":"${PARENT}"},
        "startTime":[1770131992,242000001],"endTime":[1770131992,242000999],"status":{"code":2,"message":"no"},
        "attributes":{"n":1},"instrumentationScope":{"name":"lib"},"resource":{"_rawAttributes":[["service.name","s"]]},"events":[{"name":"e","time":[1,2]}]}`,
      // Python's console exporter
      `{"name":"chat","context":{"trace_id":"0x${TRACE}","span_id":"0x${SPAN}"},"parent_id":"0x${PARENT}",
        "start_time":"2026-02-03T15:19:52.242000001Z","end_time":"2026-02-03T15:19:52.242000999Z",
        "status":{"status_code":"ERROR","description":"no"},"attributes":{"n":1},"resource":{"attributes":{"service.name":"s"}},"events":[{"name":"e","timestamp":"1970-01-01T00:00:01.000000002Z"}]}`,
      // OpenInference
      `{"trace_id":"${TRACE}","span_id":"${SPAN}","parent_span_id":"${PARENT}","name":"chat","start_time":1770131992242000001,"end_time":1770131992242000999,
        "attributes":{"n":1},"scope":{"name":"lib"},"status":{"code":"ERROR","message":"no"},"resource":{"attributes":{"service.name":"s"}},"span_events":[{"name":"e","timestamp":[1,2]}]}`,
    ];
    for (const dump of dumps) {
      for (const text of [dump, `[${dump}]`, `{"spans":[${dump}],"final_output":"x"}`]) {
        const { spans } = await decode(text);
        expect(spans).toMatchObject([wanted]);
        expect(spans[0]!.attributes.get("n")).toBe(1);
        expect(spans[0]!.resource.get("service.name")).toBe("s");
        expect(spans[0]!.events).toMatchObject([{ name: "e", timeNanos: 1_000_000_002n }]);
      }
    }
  });

  it("reads integer ids without losing a digit, and a parent of nulls as none", async () => {
    const text = `{"spans":[{"name":"a","parent":{"trace_id":null,"span_id":null},"context":{"trace_id":115825058289444712299650141807529952578,"span_id":15531323892744358789}},
      {"name":"b","parent":{"trace_id":1,"span_id":15531323892744358789},"context":{"trace_id":115825058289444712299650141807529952578,"span_id":12072964954527026452}}]}`;
    const { spans } = await decode(text);
    expect(spans.map(({ spanId, parentSpanId }) => [spanId, parentSpanId])).toEqual([
      ["15531323892744358789", undefined],
      ["12072964954527026452", "15531323892744358789"],
    ]);
    expect(spans[0]!.traceId).toBe("115825058289444712299650141807529952578");
  });

  it("reads Jaeger's export: microseconds, parents in references, tags", async () => {
    const text = `{"data":[{"traceID":"${TRACE}","spans":[{"traceID":"${TRACE}","spanID":"${SPAN}","operationName":"chat",
      "references":[{"refType":"FOLLOWS_FROM","traceID":"${TRACE}","spanID":"aaaa"},{"refType":"CHILD_OF","traceID":"${TRACE}","spanID":"${PARENT}"}],
      "startTime":1770131992242000,"duration":5,"processID":"p1",
      "tags":[{"key":"n","type":"int64","value":"9007199254740993"},{"key":"error","type":"bool","value":true},{"key":"otel.scope.name","value":"lib"}],
      "logs":[{"timestamp":2,"fields":[{"key":"event","value":"e"}]}]}],
      "processes":{"p1":{"serviceName":"s","tags":[{"key":"host","value":"h"}]}}}]}`;
    const { spans } = await decode(text);
    expect(spans).toMatchObject([
      {
        traceId: TRACE,
        spanId: SPAN,
        parentSpanId: PARENT,
        startNanos: 1770131992242000000n,
        endNanos: 1770131992242005000n,
        status: { code: "error" },
        scope: { name: "lib" },
        links: [{ traceId: TRACE, spanId: "aaaa" }],
      },
    ]);
    expect(Object.fromEntries(spans[0]!.resource)).toEqual({ host: "h", "service.name": "s" });
    expect(spans[0]!.attributes.get("n")).toBe(9007199254740993n);
  });

  it("reads log records, and counts other signals", async () => {
    const text = `{"resourceLogs":[{"scopeLogs":[{"scope":{"name":"lib"},"logRecords":[
      {"timeUnixNano":"0","observedTimeUnixNano":"9","eventName":"asv.state","body":{"stringValue":"b"},"traceId":"${TRACE}","spanId":"${SPAN}"},
      {"attributes":[{"key":"event.name","value":{"stringValue":"gen_ai.choice"}}]}]}]}],"resourceMetrics":[{},{}]}`;
    const { logs, other } = await decode(text);
    expect(other).toBe(2);
    expect(logs).toMatchObject([
      { eventName: "asv.state", timeNanos: 9n, body: "b", traceId: TRACE, spanId: SPAN },
      { eventName: "gen_ai.choice", timeNanos: 0n, body: undefined },
    ]);
  });

  it("tells what it cannot read, and reads what stands beside it", async () => {
    const mixed = await decode(
      `[{"name":"no ids","spanContext":{"spanId":"${SPAN}"}},{"trace_id":"${TRACE}","span_id":"${SPAN}","name":"ok"},7]`,
    );
    expect(mixed.spans).toHaveLength(1);
    expect(mixed.invalid).toEqual(["span: the trace id is missing"]);
    expect(mixed.failure).toMatchObject({ code: "bad" });
    expect((await decode('{"trace":{"id":"x"},"observations":[]}')).failure?.reason).toContain(
      "asv import langfuse",
    );
    expect((await decode('{"schema_version":"asv.v1"}')).failure?.reason).toContain("asv-v1");
    expect((await decode("{")).failure).toEqual({
      code: "bad",
      reason: expect.stringContaining("not valid JSON"),
    });
    expect((await decode(Buffer.from([0x22, 0xff, 0x22]))).failure?.reason).toContain("UTF-8");
    const secret = await decode('{"key":"sk-secret-of-a-run", broken}');
    expect(secret.failure?.reason).not.toContain("secret");
    expect((await decode('{"data":'.repeat(50) + "1" + "}".repeat(50))).failure).toMatchObject({
      code: "bad",
    });
    expect((await decode("[".repeat(100_000) + "]".repeat(100_000))).failure).toMatchObject({ code: "bad" });
  });
});
