import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { codeOf } from "../score-run.ts";
import { tinyGguf } from "./index.ts";

describe("tinyGguf", () => {
  // Pinned once the files had been loaded and scored by a real engine; any change of a byte is another model.
  it.each([
    [{}, 159_008, "ff95503b8a6d379254348fed22d075d9fe3f44240bc6c931823b49dda437188d"],
    [{ bias: { C: 3, A: 1 } }, 159_008, "706cf36c24c99823d038b64b1abc7e19d299c4326a4e333e0036262b3581260f"],
    [
      { tokenizer: "spm", bias: { C: 3, A: 1 } } as const,
      185_120,
      "1571ffcf4dad707d8dc0922bcbc3bff0b9790423a8074905c9d5a8c0da1dcec3",
    ],
    [{ seed: 7 }, 159_008, "dda033446bbbe2a417ed46fa0b744194101c6038967194228df1097906f99a41"],
  ])("writes the same bytes everywhere: %j", (options, length, sha256) => {
    const bytes = tinyGguf(options);
    expect(bytes.length).toBe(length);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
  });

  it("begins as GGUF version 3 and ends on the alignment", () => {
    const bytes = tinyGguf();
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    expect(String.fromCharCode(...bytes.subarray(0, 4))).toBe("GGUF");
    expect(view.getUint32(4, true)).toBe(3);
    // Embedding, its norm, the output matrix, and nine tensors in each of two layers.
    expect(view.getBigUint64(8, true)).toBe(3n + 2n * 9n);
    expect(bytes.length % 32).toBe(0);
  });

  it("changes only the raised tokens' output rows", () => {
    const plain = new Float32Array(tinyGguf().slice().buffer);
    const raised = new Float32Array(tinyGguf({ bias: { C: 3, A: 1 } }).slice().buffer);
    const changed = [...raised].flatMap((value, i) =>
      Object.is(value, plain[i]) ? [] : [[plain[i], value] as const],
    );
    expect(changed).toEqual([
      [0, 1],
      [0, 3],
    ]);
  });

  it("refuses a bias for a token it does not hold", async () => {
    expect(await codeOf((async () => tinyGguf({ bias: { "no such token": 1 } }))())).toBe("invalid_argument");
  });
});
