import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { projectState } from "../index.ts";
import { decodeBase64 } from "./base64.ts";
import { findBytes } from "./find-bytes.ts";

const PNG = Buffer.from([
  0x89,
  0x50,
  0x4e,
  0x47,
  ...Array.from({ length: 900 }, (_, i) => (i * 37 + (i >> 3)) % 256),
]);
const sha = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
const described = { media_type: "image/png", bytes: PNG.length, sha256: sha(PNG) };
const inText = `[BYTES:image/png:${PNG.length}:${sha(PNG)}]`;

function formOf(value: unknown): unknown {
  return (projectState({ x: value }).state as Record<string, unknown>)["x"];
}

test("decodeBase64 reads what Buffer writes, in both alphabets, with line breaks", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(60), (bytes, at) => {
      const text = Buffer.from(bytes).toString("base64");
      expect([...decodeBase64(text)]).toEqual([...bytes]);
      expect([...decodeBase64(Buffer.from(bytes).toString("base64url"))]).toEqual([...bytes]);
      expect([...decodeBase64(`${text.slice(0, at)}\n${text.slice(at)}`)]).toEqual([...bytes]);
    }),
    { numRuns: 100 },
  );
});

describe("bytes as values", () => {
  test.each<[string, unknown]>([
    ["Buffer", PNG],
    ["Uint8Array", new Uint8Array(PNG)],
    ["ArrayBuffer", new Uint8Array(PNG).buffer],
    ["DataView", new DataView(new Uint8Array(PNG).buffer)],
    ["stored Buffer", JSON.parse(JSON.stringify(PNG))],
    ["data URI", `data:image/png;base64,${PNG.toString("base64")}`],
    ["long base64", PNG.toString("base64")],
  ])("%s", (_, value) => expect(formOf(value)).toEqual(described));

  test("short base64 beside its media type", () => {
    const bytes = Buffer.from([0xff, 0xd8, 0xff, ...Array.from({ length: 60 }, (_, i) => i * 4)]);
    const source = { type: "base64", media_type: "image/jpeg", data: bytes.toString("base64") };
    expect(formOf(source)).toEqual({
      ...source,
      data: { media_type: "image/jpeg", bytes: 63, sha256: sha(bytes) },
    });
  });
  test("a view shows its own part of the buffer only", () => {
    expect(formOf(new Uint8Array(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2))).toEqual({
      media_type: "application/octet-stream",
      bytes: 2,
      sha256: sha(Buffer.from([2, 3])),
    });
  });
});

describe("bytes in texts", () => {
  const base64 = PNG.toString("base64");
  test.each([
    ["data URI", `see data:image/png;base64,${base64} there`, `see ${inText} there`],
    ["in Markdown", `![x](data:image/png;base64,${base64})`, `![x](${inText})`],
    ["long base64", `payload: ${base64}, end`, `payload: ${inText}, end`],
    ["wrapped base64", `${base64.replace(/.{76}/g, "$&\n")}`, inText],
    [
      "text URI",
      "data:text/plain;charset=utf-8,hello%20world x",
      `[BYTES:text/plain:11:${sha("hello world")}] x`,
    ],
    ["two", `data:image/png;base64,${base64} data:image/png;base64,${base64}`, `${inText} ${inText}`],
  ])("%s", (_, text, projected) => {
    const { state } = projectState({ blocks: [{ kind: "evidence", text }] });
    expect(state).toEqual({ blocks: [{ kind: "evidence", text: projected }] });
  });
  test("a block's text stays a text, also when it is nothing but bytes", () => {
    expect(projectState({ blocks: [{ kind: "evidence", text: base64 }] }).state).toEqual({
      blocks: [{ kind: "evidence", text: inText }],
    });
  });
  test.each([
    "A".repeat(2000),
    "ACGT".repeat(500),
    "0123456789abcdef".repeat(100),
    "data: image",
    "metadata:x",
    "MKTAYIAKQRQISFVKSHFSRQ".repeat(40),
    "-".repeat(1000),
  ])("leaves %s", (text) => expect(findBytes(text)).toEqual([]));
});
