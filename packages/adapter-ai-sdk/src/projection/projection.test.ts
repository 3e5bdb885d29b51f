import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRecorder, type Snapshot, type StateWriter } from "@agent-step-value/sdk/capture";
import { conversationBlocks } from "./conversation-blocks.ts";
import { ConversationReader } from "./conversation-reader.ts";
import { fileText } from "./file-text.ts";
import { MediaTexts } from "./media-texts.ts";
import { plainText } from "./plain-text.ts";
import { hasShape, shapeOf } from "./shape.ts";
import { toolResultTexts } from "./tool-result-texts.ts";

const media = () => new MediaTexts();
const BYTES = Uint8Array.from({ length: 2000 }, (_, i) => (i * 31) % 256);
const BASE64 = Buffer.from(BYTES).toString("base64");
const mark = (type: string, bytes: Uint8Array = BYTES) =>
  `[BYTES:${type}:${bytes.length}:${createHash("sha256").update(bytes).digest("hex")}]`;

describe("fileText", () => {
  const url = new URL("https://u:p@host.test/a.png?token=1#2");
  it.each<[string, Record<string, unknown>, string]>([
    ["bytes", { type: "image", image: BYTES, mediaType: "image/png" }, mark("image/png")],
    ["an ArrayBuffer", { type: "file", data: BYTES.buffer, mediaType: "audio/wav" }, mark("audio/wav")],
    [
      "a part of a buffer",
      { type: "file", data: BYTES.subarray(10, 20), mediaType: "a/b" },
      mark("a/b", BYTES.subarray(10, 20)),
    ],
    ["base64", { type: "image", image: BASE64, mediaType: "image/png" }, mark("image/png")],
    [
      "a data URI, whose own type counts",
      { type: "image", image: `data:image/webp;base64,${BASE64}`, mediaType: "image/png" },
      mark("image/webp"),
    ],
    ["no type", { type: "image", image: BYTES }, mark("application/octet-stream")],
    [
      "a type that is only half of one",
      { type: "file", data: BYTES, mediaType: "image" },
      mark("image/unspecified"),
    ],
    [
      "a type that could hide something",
      { type: "file", data: BYTES, mediaType: "x [SECRET] \n" },
      mark("application/octet-stream"),
    ],
    ["a URL", { type: "image", image: url }, "[file https://host.test/a.png]"],
    [
      "a URL as text",
      { type: "file", data: url.href, mediaType: "image/png" },
      "[file https://host.test/a.png]",
    ],
    [
      "another kind of address",
      { type: "file", data: "gs://bucket/a?sig=1", mediaType: "image/png" },
      "[file gs://bucket/a]",
    ],
    [
      "tagged bytes",
      { type: "file", data: { type: "data", data: BYTES }, mediaType: "image/png" },
      mark("image/png"),
    ],
    [
      "a tagged URL",
      { type: "file", data: { type: "url", url }, mediaType: "image/png" },
      "[file https://host.test/a.png]",
    ],
    [
      "tagged text",
      { type: "file", data: { type: "text", text: "a page" }, mediaType: "text/plain" },
      "a page",
    ],
    [
      "a reference",
      { type: "file", data: { type: "reference", reference: { openai: "file-id" } } },
      "[file]",
    ],
    ["an id at a provider", { type: "file-id", fileId: "file-id" }, "[file]"],
    [
      "a name",
      { type: "file", data: BYTES, mediaType: "application/pdf", filename: "plan.pdf" },
      `plan.pdf ${mark("application/pdf")}`,
    ],
    ["nothing", { type: "file" }, "[file]"],
  ])("%s", (_, part, text) => expect(fileText(part, media())).toBe(text));

  it("bytes that were declared otherwise, or have another length, are another file", () => {
    const texts = media();
    expect(texts.bytes(BYTES, "a/b")).toBe(mark("a/b"));
    expect(texts.bytes(BYTES, "c/d")).toBe(mark("c/d"));
    expect(texts.bytes("text")).toBeUndefined();
    expect(texts.encoded(BASE64, "a/b")).toBe(mark("a/b"));
    expect(texts.encoded(BASE64, "c/d")).toBe(mark("c/d"));
  });

  it("bytes that were filled anew are another file", () => {
    const texts = media();
    const bytes = Uint8Array.from(BYTES);
    for (const buffer of [bytes, bytes.buffer, new DataView(bytes.buffer)]) {
      bytes.set(BYTES);
      expect(texts.bytes(buffer, "a/b")).toBe(mark("a/b"));
      bytes.fill(7, 1500, 1501);
      expect(texts.bytes(buffer, "a/b")).toBe(mark("a/b", bytes));
    }
  });
});

describe("toolResultTexts", () => {
  const of = (output: unknown, toolName: unknown = "t") => toolResultTexts({ output, toolName }, media());
  it.each<[unknown, string, string]>([
    [{ type: "text", value: "found" }, "evidence", "found"],
    [{ type: "text", value: "" }, "evidence", ""],
    [{ type: "json", value: { a: [1, null] } }, "evidence", '{"a":[1,null]}'],
    [{ type: "json", value: false }, "evidence", "false"],
    [{ type: "error-text", value: "no" }, "other", "no"],
    [{ type: "error-json", value: { code: 1 } }, "other", '{"code":1}'],
    [{ type: "execution-denied" }, "other", "execution denied"],
    [{ type: "execution-denied", reason: "not now" }, "other", "execution denied: not now"],
    [{ unknown: 1 }, "evidence", '{"unknown":1}'],
    ["bare", "evidence", "bare"],
  ])("%j", (output, kind, text) => expect(of(output)).toEqual({ kind, name: "t", texts: [text] }));

  it("every item of content by itself; what a provider adds for itself is left out", () => {
    const value = [
      { type: "text", text: "one" },
      { type: "custom", providerOptions: { x: "secret" } },
      { type: "image-data", data: BASE64, mediaType: "image/png" },
      { type: "image-url", url: "https://host.test/x?y" },
      7,
    ];
    expect(of({ type: "content", value }).texts).toEqual([
      "one",
      mark("image/png"),
      "[file https://host.test/x]",
      "7",
    ]);
  });

  it("a result without a name", () => expect(of({ type: "text", value: "x" }, "").name).toBe("tool"));
});

describe("conversationBlocks", () => {
  const shown = (messages: readonly unknown[]) =>
    conversationBlocks(messages, media()).map(({ kind, name, text }) => `${kind} ${name}: ${text}`);

  it("the first thing the user says is the task; texts of a message that acts are reasoning", () => {
    expect(
      shown([
        { role: "system", content: "Be brief." },
        { role: "user", content: "Which?" },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I look." },
            { type: "tool-call", toolCallId: "1", toolName: "look", input: { a: 1 } },
          ],
        },
        {
          role: "tool",
          content: [
            { type: "tool-result", toolCallId: "1", toolName: "look", output: { type: "text", value: "x" } },
          ],
        },
        { role: "assistant", content: "Green." },
        { role: "user", content: "Sure?" },
      ]),
    ).toEqual([
      "message system: Be brief.",
      "task user: Which?",
      "reasoning assistant: I look.",
      'tool_call look: {"a":1}',
      "evidence look: x",
      "answer assistant: Green.",
      "message user: Sure?",
    ]);
  });

  it("results stand in the order of their calls, those of unknown calls behind", () => {
    const call = (id: string) => ({ type: "tool-call", toolCallId: id, toolName: id, input: {} });
    const result = (id: string) => ({
      type: "tool-result",
      toolCallId: id,
      toolName: id,
      output: { type: "text", value: id },
    });
    fc.assert(
      fc.property(fc.shuffledSubarray(["a", "b", "c", "d", "e"], { minLength: 2 }), (order) => {
        const blocks = shown([
          { role: "assistant", content: ["a", "b", "c"].map(call) },
          { role: "tool", content: order.map(result) },
        ]);
        const known = order.filter((id) => "abc".includes(id)).sort();
        const unknown = order.filter((id) => !"abc".includes(id));
        expect(blocks.slice(3)).toEqual([...known, ...unknown].map((id) => `evidence ${id}: ${id}`));
      }),
    );
  });

  it("so they do where a later message reuses the ids of calls", () => {
    const call = (id: string, tool: string) => ({
      type: "tool-call",
      toolCallId: id,
      toolName: tool,
      input: {},
    });
    const result = (id: string, tool: string) => ({
      type: "tool-result",
      toolCallId: id,
      toolName: tool,
      output: { type: "text", value: tool },
    });
    const step = (a: string, b: string) => [
      { role: "assistant", content: [call("1", a), call("2", b)] },
      { role: "tool", content: [result("2", b), result("1", a)] },
    ];
    expect(
      shown([...step("a", "b"), ...step("c", "d")]).filter((line) => line.startsWith("evidence")),
    ).toEqual(["evidence a: a", "evidence b: b", "evidence c: c", "evidence d: d"]);
  });

  it.each([
    [undefined],
    [null],
    [7],
    ["text"],
    [{}],
    [{ role: "user" }],
    [{ role: "tool", content: 3 }],
    [{ role: "assistant", content: [null, 4, {}] }],
  ])("%j says nothing and breaks nothing", (message) => expect(shown([message])).toEqual([]));

  it("a message that cannot be read leaves a mark", () => {
    const broken = {
      role: "user",
      get content(): never {
        throw new Error("no");
      },
    };
    expect(shown([broken, { role: "assistant", content: "x" }])).toEqual([
      "other message: [unreadable]",
      "answer assistant: x",
    ]);
  });

  it("ids, provider options and parts of a provider's own are left out", () => {
    const text = JSON.stringify(
      shown([
        {
          role: "assistant",
          id: "CANARY",
          providerOptions: { a: "CANARY" },
          content: [
            { type: "text", text: "x", providerOptions: { a: "CANARY" } },
            { type: "custom", kind: "a.b", providerOptions: { a: "CANARY" } },
            { type: "tool-call", toolCallId: "CANARY", toolName: "t", input: {}, providerMetadata: "CANARY" },
          ],
        },
      ]),
    );
    expect(text).not.toContain("CANARY");
  });
});

/** Keeps what is written. */
class Written implements StateWriter {
  blocks: { kind: string; name: string; text: string }[] = [];
  added = 0;

  add(kind: string, name: string, text: string): void {
    this.blocks.push({ kind, name, text });
    this.added += 1;
  }

  clear(): void {
    this.blocks = [];
  }

  snapshot(): Snapshot {
    return NO_SNAPSHOT;
  }
}

const NO_SNAPSHOT = createRecorder({ sinks: [] }).trajectory().snapshot({});

describe("ConversationReader", () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const message = fc.record({
    role: fc.constantFrom("user", "assistant", "tool", "system"),
    content: fc.oneof(
      fc.string(),
      fc.array(
        fc.oneof(
          fc.record({ type: fc.constant("text"), text: fc.string() }),
          fc.record({
            type: fc.constant("tool-call"),
            toolCallId: fc.constantFrom("1", "2", "3"),
            toolName: fc.string(),
            input: json,
          }),
          fc.record({
            type: fc.constant("tool-result"),
            toolCallId: fc.constantFrom("1", "2", "3"),
            toolName: fc.string(),
            output: fc.record({ type: fc.constant("json"), value: json }),
          }),
        ),
        { maxLength: 4 },
      ),
    ),
  });

  it("reads what a fresh look reads, however the conversation grows, shrinks or changes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(message, { maxLength: 5 }), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        (stages, cloned) => {
          const state = new Written();
          const reader = new ConversationReader(media(), state);
          let messages: unknown[] = [];
          for (const [i, more] of stages.entries()) {
            // Now grown, now replaced; the same objects or others that say the same.
            messages = i % 3 === 2 ? more : [...messages, ...more];
            const given = cloned ? structuredClone(messages) : messages;
            reader.read(given);
            expect(state.blocks).toEqual(conversationBlocks(messages, media()));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it("sees a change deep inside a message that is still the same object", () => {
    const output = { type: "json", value: { items: ["lamp"] } };
    const messages = [
      { role: "tool", content: [{ type: "tool-result", toolCallId: "1", toolName: "t", output }] },
    ];
    const state = new Written();
    const reader = new ConversationReader(media(), state);
    reader.read(messages);
    reader.read([...messages]);
    expect(state.added).toBe(1);
    output.value.items.push("oil");
    reader.read(messages);
    expect(state.blocks.map(({ text }) => text)).toEqual(['{"items":["lamp","oil"]}']);
    expect(state.added).toBe(2);
  });
});

describe("shapeOf", () => {
  it("a value has its own shape, and a copy of it too", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(hasShape(plain, shapeOf(plain))).toBe(true);
        expect(hasShape(structuredClone(plain), shapeOf(plain))).toBe(true);
      }),
    );
  });

  it("values that differ have different shapes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        if (JSON.stringify(a) !== JSON.stringify(b)) expect(hasShape(b, shapeOf(a))).toBe(false);
      }),
    );
  });

  it.each<[string, unknown, unknown]>([
    ["a list and fields", [], {}],
    ["a list and one with more", [1], [1, undefined]],
    ["fields and one more of them", { a: 1 }, { a: 1, b: undefined }],
    ["a name and another", { a: 1 }, { b: 1 }],
    ["fields in another order", { a: 1, b: 2 }, { b: 2, a: 1 }],
    ["what stands inside and after", [[1], 2], [[1, 2]]],
    ["a text and a list of one", "a", ["a"]],
    ["no value and null", [undefined], [null]],
    ["numbers and their texts", [1n], ["1"]],
    ["bytes of another length", new Uint8Array(2), new Uint8Array(3)],
    ["bytes in another place", new Uint8Array(2), new Uint8Array(2)],
    ["plain fields and an instance", { a: 1 }, Object.assign(Object.create({}), { a: 1 })],
  ])("tells apart %s", (_, a, b) => {
    expect(hasShape(a, shapeOf(a))).toBe(true);
    expect(hasShape(b, shapeOf(a))).toBe(false);
    expect(hasShape(a, shapeOf(b))).toBe(false);
  });

  it("what is too much is not taken for its beginning", () => {
    const ones = (count: number) => Array.from({ length: count }, () => 1);
    const shape = shapeOf(ones(60_000));
    for (let count = 49_990; count < 50_010; count += 1) expect(hasShape(ones(count), shape)).toBe(false);
  });

  it("sees that bytes were filled anew", () => {
    const value = { image: Uint8Array.from(BYTES) };
    const shape = shapeOf(value);
    expect(hasShape(value, shape)).toBe(true);
    value.image[1000]! += 1;
    expect(hasShape(value, shape)).toBe(false);
  });

  it("sees that a getter gives something else", () => {
    let given = 1;
    const value = Object.defineProperty({}, "x", { get: () => given, enumerable: true });
    const shape = shapeOf(value);
    expect(hasShape(value, shape)).toBe(true);
    given = 2;
    expect(hasShape(value, shape)).toBe(false);
  });

  it.each<[string, unknown]>([
    ["functions", { f: () => 1 }],
    ["instances", { d: new Date(0) }],
    ["NaN", [Number.NaN]],
    ["symbols", { s: Symbol("s") }],
    [
      "a cycle",
      (() => {
        const a: unknown[] = [];
        a.push(a);
        return a;
      })(),
    ],
    ["too much", Array.from({ length: 60_000 }, () => 1)],
  ])("%s have none, so that they are read again each time", (_, value) => {
    expect(hasShape(value, shapeOf(value))).toBe(false);
  });
});

function broken(): unknown {
  const get = () => {
    throw new Error("no");
  };
  return Object.defineProperty({ a: 1 }, "b", { get, enumerable: true });
}

describe("plainText", () => {
  it("is JSON.stringify for plain data", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        if (typeof value !== "string") expect(plainText(value, media())).toBe(JSON.stringify(value));
      }),
    );
  });

  it.each<[string, () => unknown, string]>([
    ["bigint", () => 12n, '"12n"'],
    ["NaN", () => Number.NaN, '"NaN"'],
    ["nothing", () => undefined, ""],
    ["a function", () => () => 1, '"[function]"'],
    ["a symbol", () => Symbol("s"), '"[symbol]"'],
    ["a date", () => new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ["no date", () => new Date(Number.NaN), '"Invalid Date"'],
    ["a URL", () => new URL("https://host.test/"), '"https://host.test/"'],
    ["a Map", () => new Map([["a", 1n]]), '[["a","1n"]]'],
    ["a Set", () => new Set([1, undefined]), "[1,null]"],
    ["an Error", () => new TypeError("no"), '{"error":"TypeError","message":"no"}'],
    ["bytes", () => ({ page: BYTES }), `{"page":${JSON.stringify(mark("application/octet-stream"))}}`],
    ["toJSON, which is not run", () => ({ toJSON: () => "run", a: 1 }), '{"toJSON":"[function]","a":1}'],
    ["a getter that throws", broken, '{"a":1,"b":"[unreadable]"}'],
  ])("writes %s", (_, value, text) => expect(plainText(value(), media())).toBe(text));

  it("what is used twice is no cycle", () => {
    const twice = { a: 1 };
    expect(plainText({ x: twice, y: [twice], n: 1n }, media())).toBe('{"x":{"a":1},"y":[{"a":1}],"n":"1n"}');
  });

  it("never runs a host's toJSON, wherever it stands", () => {
    const toJSON = () => {
      throw new Error("ran");
    };
    const list = Object.assign([1, 2], { toJSON });
    const hidden = Object.defineProperty({ a: 1 }, "toJSON", { value: toJSON });
    expect(plainText(list, media())).toBe("[1,2]");
    expect(plainText(hidden, media())).toBe('{"a":1}');
  });

  it("marks cycles and what is too deep or too much, and ends", () => {
    const loop: Record<string, unknown> = {};
    loop["self"] = [loop];
    expect(plainText(loop, media())).toBe('{"self":["[circular]"]}');
    let deep: unknown = 1;
    for (let i = 0; i < 40; i += 1) deep = [deep];
    expect(plainText(deep, media())).toContain("[deep]");
    const much = plainText(
      Array.from({ length: 60_000 }, (_, i) => i),
      media(),
    );
    expect(much.endsWith('"[more]"]')).toBe(true);
    const fields = plainText(
      Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, i])),
      media(),
    );
    expect(JSON.parse(fields)).toHaveProperty("more", "[more]");
  });

  it("a proxy that throws", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(plainText(proxy, media())).toBe("[unreadable]");
  });
});
