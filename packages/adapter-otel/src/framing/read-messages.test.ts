import { describe, expect, it } from "vitest";
import zlib from "node:zlib";
import { framings, prefixed } from "./framings.test-support.ts";
import { readFraming } from "./reading.test-support.ts";

/** Bodies that begin as OTLP does: in JSON with a brace, in protobuf with field 1 and its length. */
const json = [1, 2, 3].map((n) =>
  Buffer.from(`{"resourceSpans":[{"n":${n},"text":"a\\n\\"{[ ${"y".repeat(n)}"}]}\n`),
);
const proto = [1, 2, 3].map((n) => Buffer.from([0x0a, 4 + n, 0x0a, 2 + n, ...Array<number>(2 + n).fill(7)]));
const files = framings(json, proto);

describe("readMessages", () => {
  it.each(Object.entries(files))(
    "tells %s by its content and finds its messages, however it is cut",
    async (name, file) => {
      const wanted = name.includes("proto") ? proto : json;
      for (const piece of [1, 3, 17, 65_536]) {
        const { framing, messages, problems } = await readFraming(file, piece);
        expect(framing).toBe(name);
        expect(problems).toEqual([]);
        expect(messages.map(({ number }) => number)).toEqual([1, 2, 3]);
        for (const [i, { text }] of messages.entries()) {
          if (name.includes("proto")) expect(text).toBe(wanted[i]!.toString("latin1"));
          else expect(JSON.parse(text)).toEqual(JSON.parse(String(wanted[i])));
        }
      }
    },
  );

  it("gives the place of each line and frame in the file, or in what came out of it", async () => {
    const lines = await readFraming(files["json-lines"]!);
    expect(lines.messages.map(({ offset }) => offset)).toEqual([
      0,
      json[0]!.length,
      json[0]!.length + json[1]!.length,
    ]);
    const frames = await readFraming(files["zstd+length-prefixed+proto"]!);
    // A frame is its message and 4 bytes before it.
    expect(frames.messages.map(({ offset, within }) => [offset, within])).toEqual([
      [0, "decompressed"],
      [proto[0]!.length + 4, "decompressed"],
      [proto[0]!.length + proto[1]!.length + 8, "decompressed"],
    ]);
  });

  it.each(Object.entries(files))("says exactly where %s ends, cut at every byte", async (name, file) => {
    const whole = await readFraming(file);
    const starts = whole.messages.map(({ offset }) => offset);
    const isPacked = name.startsWith("zstd") || name.startsWith("gzip");
    for (let end = 0; end < file.length; end++) {
      const { messages, problems } = await readFraming(file.subarray(0, end));
      if (end === 0) {
        expect([messages, problems]).toEqual([[], []]);
        continue;
      }
      // A line without line feed may be whole or not, which its reader finds out.
      const complete = messages.filter(({ whole: known }) => known);
      expect(complete.map(({ text }) => text)).toEqual(
        whole.messages.slice(0, complete.length).map(({ text }) => text),
      );
      if (isPacked) {
        expect(problems[0]?.code).toBe("torn");
        continue;
      }
      const next = starts.filter((start) => start < end).at(-1)!;
      const open = messages.find(({ whole: known }) => !known);
      if (open !== undefined) {
        expect(open.offset).toBe(next);
        expect(problems).toEqual([]);
      } else if (problems.length > 0) {
        expect(problems).toHaveLength(1);
        expect(problems[0]).toMatchObject({ code: "torn", offset: next, bytes: end - next, within: "file" });
      } else {
        // Nothing is missing: the cut is between two messages, where a document has white space.
        const last = complete.at(-1);
        const isBetween = name === "json" && file[(last?.offset ?? 0) + (last?.text.length ?? 0)] === 0x0a;
        expect(starts.includes(end) || isBetween).toBe(true);
      }
    }
  });

  it("goes on behind a line and a frame above the limit, without holding them", async () => {
    const long = Buffer.from(`{"x":"${"y".repeat(5000)}"}\n`);
    const lines = await readFraming(Buffer.concat([json[0]!, long, json[1]!]), 100, 1000);
    expect(lines.messages.map(({ number }) => number)).toEqual([1, 3]);
    expect(lines.problems).toMatchObject([
      { code: "too_long", offset: json[0]!.length, bytes: long.length, message: 2 },
    ]);
    const frames = await readFraming(
      Buffer.concat([prefixed(proto[0]!), prefixed(long), prefixed(proto[1]!)]),
      100,
      1000,
    );
    expect(frames.messages.map(({ number }) => number)).toEqual([1, 3]);
    expect(frames.problems).toMatchObject([
      { code: "too_long", offset: proto[0]!.length + 4, bytes: long.length + 4, message: 2 },
    ]);
  });

  it("reports a length that leads beyond the end as torn, and gives up nothing before it", async () => {
    const file = Buffer.concat([prefixed(proto[0]!), Buffer.from([0x7f, 0, 0, 0, 1, 2, 3])]);
    const { messages, problems } = await readFraming(file);
    expect(messages).toHaveLength(1);
    expect(problems).toMatchObject([{ code: "torn", offset: proto[0]!.length + 4, bytes: 7 }]);
  });

  it("reads the elements of a long array one by one, and several documents in a row", async () => {
    const array = await readFraming(Buffer.from('[\n{"a":1},\n {"a":[{}, "]"]}\n]\n{"b":2}'));
    expect(array.framing).toBe("json");
    expect(array.messages.map(({ text }) => text)).toEqual(['{"a":1}', '{"a":[{}, "]"]}', '{"b":2}']);
    // As Python's console exporter prints spans.
    const printed = await readFraming(Buffer.from('{\n    "name": "x"\n}\n{\n    "name": "y"\n}\n'));
    expect(printed.messages).toHaveLength(2);
    const open = await readFraming(Buffer.from('[{"a":1},'));
    expect(open.messages).toHaveLength(1);
    expect(open.problems).toMatchObject([{ code: "torn", offset: 9 }]);
  });

  it("finds the lines behind a beginning that was cut off or torn", async () => {
    const behind = Buffer.concat([Buffer.from('ue":"x"}]}]}\n'), json[0]!]);
    expect((await readFraming(behind)).framing).toBe("json-lines");
    const torn = Buffer.concat([Buffer.from('{"resourceSpans":[{"res\n'), json[0]!, json[1]!]);
    const { framing, messages } = await readFraming(torn);
    expect(framing).toBe("json-lines");
    expect(messages).toHaveLength(3);
  });

  it("reads what is compressed twice and no deeper", async () => {
    const twice = await readFraming(zlib.gzipSync(zlib.zstdCompressSync(files["json-lines"]!)));
    expect([twice.framing, twice.messages.length]).toEqual(["gzip+zstd+json-lines", 3]);
    const thrice = await readFraming(zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(files["json-lines"]!))));
    expect(thrice.problems).toMatchObject([{ code: "unknown" }]);
  });

  it("tells a source that fails while it is read, by the system's word alone", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield json[0]!;
      await Promise.resolve();
      throw Object.assign(new Error("secret of the disk"), { code: "EIO" });
    }
    const { readMessages } = await import("./read-messages.ts");
    const problems: unknown[] = [];
    const context = { messageLimit: 1000, within: "file" as const, onFraming: () => {} };
    let count = 0;
    for await (const _ of readMessages(failing(), { ...context, onProblem: (p) => problems.push(p) }))
      count++;
    expect(count).toBe(1);
    expect(problems).toEqual([
      { code: "unreadable", offset: json[0]!.length, within: "file", reason: "reading failed (EIO)" },
    ]);
  });
});
