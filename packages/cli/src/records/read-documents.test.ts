import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import type { ReadWarning } from "@agent-step-value/sdk/jsonl";
import { readDocuments } from "./read-documents.ts";

const folder = mkdtempSync(join(tmpdir(), "asv-documents-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(content: string | Uint8Array, limit?: number) {
  const file = join(folder, "runs.json");
  writeFileSync(file, content);
  const warnings: ReadWarning[] = [];
  const log = {
    counts: {},
    finish: () => undefined,
    onWarning: (warning: ReadWarning) => void warnings.push(warning),
  };
  const documents: unknown[] = [];
  const repairs: string[] = [];
  const options = {
    onRepair: (message: string) => void repairs.push(message),
    ...(limit !== undefined && { limit }),
  };
  for await (const line of readDocuments([file], log, options)) {
    documents.push("json" in line ? [line.place.line, line.json] : line);
  }
  return {
    documents,
    warnings: [...warnings.map(({ code }) => code), ...repairs.map((text) => text.split(": ")[1])],
  };
}

const document = { a: [1, { b: "x\n" }], c: null };

describe("readDocuments", () => {
  it.each<[string, string, unknown[]]>([
    ["a document laid out over lines", JSON.stringify(document, null, 2), [[1, document]]],
    ["a document on one line, without a line feed", JSON.stringify(document), [[1, document]]],
    ["a document on one line, with one", `${JSON.stringify(document)}\n`, [[1, document]]],
    [
      "a document a line",
      `{"a":1}\n{"a":2}\n\n{"a":3}`,
      [
        [1, { a: 1 }],
        [2, { a: 2 }],
        [4, { a: 3 }],
      ],
    ],
    ["a list over lines", '[\n{"a":1},\n{"a":2}\n]\n', [[1, [{ a: 1 }, { a: 2 }]]]],
    [
      "a document a line after a byte order mark",
      '\ufeff{"a":1}\r\n{"a":2}\r\n',
      [
        [1, { a: 1 }],
        [2, { a: 2 }],
      ],
    ],
    ["blank lines and a byte order mark before it", '\ufeff\n\r\n {"a":\n1}', [[1, { a: 1 }]]],
  ])("reads %s", async (_, content, documents) => {
    expect(await read(content)).toEqual({ documents, warnings: [] });
  });

  it("reads a document of many chunks", async () => {
    const long = { a: Array.from({ length: 300_000 }, (_, i) => `text ${i}`) };
    expect((await read(JSON.stringify(long, null, 1))).documents).toEqual([[1, long]]);
    const lines = `${JSON.stringify(long)}\n{"b":1}\n`;
    expect((await read(lines)).documents).toEqual([
      [1, long],
      [2, { b: 1 }],
    ]);
  });

  it("reads what Python writes for numbers that are none, and leaves texts alone", async () => {
    const { documents, warnings } = await read(
      '{"a": [NaN, -Infinity, 1],\n"b": "NaN \\" Infinity", "c": Infinity}',
    );
    expect(documents).toEqual([[1, { a: [null, null, 1], b: 'NaN " Infinity', c: null }]]);
    expect(warnings).toEqual(["3 numbers that JSON does not have (NaN, Infinity) are read as null"]);
  });

  it("names the line of a fault in a long document", async () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => `{"a": ${i}}`);
    rows[3_210] = '{"a": secret}';
    await expect(read(`[\n${rows.join(",\n")}\n]`)).rejects.toThrow(
      /runs\.json:3212: not valid JSON in this line/,
    );
  });

  it("says so of a file without a document, and of a torn last line", async () => {
    expect(await read(" \n\t\n")).toEqual({ documents: [], warnings: ["empty"] });
    expect(await read("")).toEqual({ documents: [], warnings: ["empty"] });
    expect(await read('{"a":1}\n{"a":')).toEqual({ documents: [[1, { a: 1 }]], warnings: ["torn_line"] });
  });

  it.each<[string, string | Uint8Array, RegExp]>([
    [
      "cut off",
      JSON.stringify(document).slice(0, -3),
      /runs\.json:1: the JSON ends before it is complete, after \d+ characters; the file may be cut off/,
    ],
    ["cut off in a text", '{"a":\n"secret sta', /runs\.json:2: the JSON ends before it is complete/],
    ["wrong in the middle", '{"a": 1,\n"b": secret }', /runs\.json:2: not valid JSON in this line/],
    ["no JSON", "secret text", /runs\.json:1: not valid JSON in this line/],
    ["a zip archive", Buffer.from("PK\u0003\u0004..."), /is a zip archive .*Inspect log of type \.eval/],
    ["compressed", gzipSync("{}"), /is gzip data/],
    ["no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), /is not UTF-8 text/],
  ])("refuses a file that is %s, and shows nothing of it", async (_, content, message) => {
    const error: unknown = await read(content).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "invalid_record", message: expect.stringMatching(message) });
    expect(String(error)).not.toContain("secret");
  });

  it("refuses a document beyond the limit before it holds all of it, and reads lines of any number", async () => {
    await expect(read(JSON.stringify({ a: "x".repeat(5_000) }, null, 1), 4_000)).rejects.toMatchObject({
      code: "unreadable_source",
      message: expect.stringMatching(/is larger than 4000 bytes, more than one JSON document may have/),
    });
    const many = `${JSON.stringify({ a: "x".repeat(1_000) })}\n`.repeat(50);
    const { documents } = await read(many, 1_200_000);
    expect(documents).toHaveLength(50);
  });

  it("says what to do about a file that is not there, and about a folder", async () => {
    const log = { counts: {}, finish: () => undefined, onWarning: () => undefined };
    const first = (file: string) => readDocuments([file], log, { onRepair: () => undefined }).next();
    await expect(first(join(folder, "none.json"))).rejects.toMatchObject({
      code: "unreadable_source",
      message: expect.stringMatching(/none\.json: cannot be read \(ENOENT\); give the path of a JSON file/),
    });
    await expect(first(folder)).rejects.toMatchObject({ message: expect.stringMatching(/EISDIR/) });
  });
});
