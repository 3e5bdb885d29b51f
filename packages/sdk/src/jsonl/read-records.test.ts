import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AsvError } from "../errors/index.ts";
import { readLines, readRecords } from "./read-records.ts";
import type { ReadWarning } from "./read-warning.ts";
import type { JsonlSource } from "./source.ts";
import { collect, streamOf, temporaryFolder } from "./temporary-files.test-support.ts";

const folder = temporaryFolder();

async function read(source: JsonlSource, lineLimit?: number) {
  const warnings: ReadWarning[] = [];
  const onWarning = (warning: ReadWarning): void => void warnings.push(warning);
  const lines = await collect(
    readLines(source, { onWarning, ...(lineLimit !== undefined && { lineLimit }) }),
  );
  return {
    values: lines.map(({ json }) => json),
    at: lines.map(({ place }) => place.line),
    warnings: warnings.map(({ code, line }) => `${code}:${line}`),
    messages: warnings.map(({ message }) => message),
  };
}

async function refusal(source: JsonlSource, lineLimit?: number): Promise<AsvError> {
  try {
    await read(source, lineLimit);
  } catch (error) {
    if (AsvError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("readLines", () => {
  it("gives every line with its number, blank lines counted and passed over", async () => {
    const { values, at, warnings } = await read(streamOf('{"a":1}\n\n \t\r\n[2]\n"x"\n'));
    expect(values).toEqual([{ a: 1 }, [2], "x"]);
    expect(at).toEqual([1, 4, 5]);
    expect(warnings).toEqual([]);
  });

  it("accepts a last line without line feed", async () => {
    expect((await read(streamOf("1\n2"))).values).toEqual([1, 2]);
  });

  it("ends lines at a line feed only: U+2028, U+2029 and U+0085 are text", async () => {
    const text = "a\u2028b\u2029c\u0085d\u000be";
    const file = folder.file(
      "separators.jsonl",
      `${JSON.stringify({ text }).replace("\\u000b", "\\u000b")}\n`,
    );
    expect((await read(file)).values).toEqual([{ text }]);
  });

  it("passes over a byte order mark and carriage returns", async () => {
    const file = folder.file("windows.jsonl", '\uFEFF{"a":1}\r\n{"a":2}\r\n');
    expect(await read(file)).toMatchObject({ values: [{ a: 1 }, { a: 2 }], at: [1, 2], warnings: [] });
  });

  it("keeps a byte order mark inside a string and refuses one before a later line", async () => {
    expect((await read(streamOf('"\uFEFF"\n'))).values).toEqual(["\uFEFF"]);
    expect((await refusal(streamOf("1\n\uFEFF2\n"))).fields["line"]).toBe(2);
  });

  it.each([
    ["UTF-16 text", Buffer.from("\uFEFF{}\n", "utf16le")],
    ["UTF-16 text", Buffer.from("\uFEFF{}\n", "utf16le").swap16()],
    ["gzip data", Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0x0a])],
  ])("names %s for what it is", async (what, bytes) => {
    expect((await refusal(folder.file("foreign.jsonl", bytes))).message).toContain(`the file is ${what}`);
  });

  it("skips and reports a torn last line", async () => {
    const file = folder.file("torn.jsonl", '{"a":1}\n{"a":"half');
    const { values, warnings, messages } = await read(file);
    expect(values).toEqual([{ a: 1 }]);
    expect(warnings).toEqual(["torn_line:2"]);
    expect(messages[0]).toContain(`${file}:2: the last line is cut off after 10 bytes`);
  });

  it("skips a last line torn inside a character, and one of zero bytes", async () => {
    const whole = Buffer.from('1\n"né');
    expect((await read(streamOf(whole.subarray(0, whole.length - 1)))).warnings).toEqual(["torn_line:2"]);
    expect((await read(streamOf(Buffer.from("1\n\0\0\0")))).warnings).toEqual(["torn_line:2"]);
  });

  it("refuses any other line that is not JSON, without quoting it", async () => {
    const error = await refusal(folder.file("bad.jsonl", '1\n{"state":"my secret" oops}\n2\n'));
    expect(error.code).toBe("invalid_record");
    expect(error.message).toMatch(/bad\.jsonl:2: the line is not valid JSON: .* at character 22/);
    expect(error.message).not.toContain("secret");
    expect(error.cause).toBeUndefined();
  });

  it.each(["NaN", "Infinity", "-Infinity"])(
    "refuses %s and says so, even on an unended last line",
    async (token) => {
      for (const end of ["\n", ""]) {
        const error = await refusal(streamOf(`{"t":"a \\" NaN","n":${token}}${end}`));
        expect(error.message).toContain(`${token} at character 21 is not JSON`);
        expect(error.fields["line"]).toBe(1);
      }
    },
  );

  it("refuses bytes that are not UTF-8", async () => {
    const error = await refusal(streamOf(Buffer.from([0x31, 0x0a, 0x22, 0xff, 0x22, 0x0a])));
    expect(error.fields["line"]).toBe(2);
    expect(error.message).toContain("not valid UTF-8");
  });

  it("replaces lone surrogates by U+FFFD and says where", async () => {
    const line = String.raw`{"\ud800":"x\uDC00y","pair":"\ud83d\ude00","slash":"\\ud800","two":"\ud800\ud800"}`;
    const { values, warnings, messages } = await read(streamOf(`1\n${line}\n`));
    expect(values[1]).toEqual({
      "\uFFFD": "x\uFFFDy",
      pair: "\u{1F600}",
      slash: String.raw`\ud800`,
      two: "\uFFFD\uFFFD",
    });
    expect(warnings).toEqual(["lone_surrogate:2"]);
    expect(messages[0]).toContain("replaced 4 lone surrogate(s)");
  });

  it("reports lone surrogates of text chunks, but joins pairs cut between two", async () => {
    expect(await read(streamOf('"\ud83d', '\ude00"\n'))).toMatchObject({
      values: ["\u{1F600}"],
      warnings: [],
    });
    expect(await read(streamOf('"\ud83d', 'x"\n'))).toMatchObject({
      values: ["\uFFFDx"],
      warnings: ["lone_surrogate:1"],
    });
  });

  it("reports a source without records", async () => {
    expect(await read(folder.file("empty.jsonl", ""))).toMatchObject({ values: [], warnings: ["empty:0"] });
    expect(await read(streamOf("\n \n"))).toMatchObject({ values: [], warnings: ["empty:0"] });
    expect(await read(streamOf<string>())).toMatchObject({ values: [], warnings: ["empty:0"] });
  });

  it("says what is wrong with a path and what to do", async () => {
    const missing = await refusal(folder.path("nowhere.jsonl"));
    expect(missing.code).toBe("unreadable_source");
    expect(missing.message).toMatch(/nowhere\.jsonl: cannot read it \(ENOENT\)\. Check the path\./);
    const directory = await refusal(folder.path("."));
    expect(directory.code).toBe("unreadable_source");
    expect(directory.message).toMatch(/is a directory\. Name a file in it\./);
    expect((await refusal(`${folder.path("empty.jsonl")}/x`)).fields["errno"]).toBe("ENOTDIR");
  });

  it("refuses a line beyond the limit before holding all of it", async () => {
    let pulled = 0;
    async function* endless(): AsyncGenerator<string> {
      for (; pulled < 1000; pulled++) yield await Promise.resolve("x".repeat(1000));
    }
    const long = await refusal(endless(), 10_000);
    expect(long.message).toContain("<stream>:1: the line is longer than 10000 bytes");
    expect(pulled).toBeLessThan(12);
  });

  it("reads a line of exactly the limit and refuses one byte more", async () => {
    expect((await read(streamOf('1\n"abc"\n'), 5)).values).toEqual([1, "abc"]);
    expect((await refusal(streamOf('1\n"abcd"\n'), 5)).fields["line"]).toBe(2);
    expect((await refusal(streamOf('1\n"abc', 'd"'), 5)).fields["line"]).toBe(2);
  });

  it("reads a line of 20 MB", async () => {
    const text = "x".repeat(20_000_000);
    const file = folder.file("long.jsonl", `1\n{"text":"${text}"}\n2\n`);
    const { values } = await read(file);
    expect((values[1] as { text: string }).text.length).toBe(20_000_000);
    expect(values[2]).toBe(2);
  });

  it("gives the same records wherever the bytes are cut", async () => {
    const bytes = Buffer.from('\uFEFF{"a":"é\u2028\u{1F600}"}\r\n\n[1,2]\n"\\ud800"\n{"torn":');
    const whole = await read(streamOf(bytes));
    expect(whole.values).toHaveLength(3);
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(await read(streamOf(bytes.subarray(0, cut), bytes.subarray(cut)))).toEqual(whole);
    }
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 8 }), async (cuts) => {
        const ends = [...cuts, bytes.length].sort((a, b) => a - b);
        const chunks = ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end));
        expect(await read(streamOf(...chunks))).toEqual(whole);
      }),
      { numRuns: 100 },
    );
  });

  it("gives back any JSON that was written as lines", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 1 }), async (values) => {
        const text = values.map((value) => `${JSON.stringify(value)}\n`).join("");
        const bytes = Buffer.from(text);
        const half = bytes.length >> 1;
        const back = await read(streamOf(bytes.subarray(0, half), bytes.subarray(half)));
        expect(back.values).toEqual(values.map((value) => JSON.parse(JSON.stringify(value)) as unknown));
      }),
      { numRuns: 100 },
    );
  });
});

describe("readRecords", () => {
  it("hands every line and its place to the decoder", async () => {
    const records = await collect(
      readRecords(streamOf("1\n\n2\n"), (json, place) => `${place.source}:${place.line}=${String(json)}`),
    );
    expect(records).toEqual(["<stream>:1=1", "<stream>:3=2"]);
  });
});
