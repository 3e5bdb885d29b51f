import { describe, expect, it, vi } from "vitest";
import zlib from "node:zlib";
import { ByteWindow } from "./byte-window.ts";
import type { FramingProblem } from "./framing-problem.ts";
import { inPieces } from "./framings.test-support.ts";
import { unzstd } from "./unzstd.ts";

// As Node 20 is: it can compress for the test, but has no decompressor.
vi.mock("node:zlib", async (original) => {
  const { default: real } = await original<{ default: typeof zlib }>();
  return { default: { ...real, createZstdDecompress: undefined } };
});

const text = Buffer.from(
  Array.from({ length: 20_000 }, (_, i) => `line ${i} ${(i * 2654435761) % 99991}\n`).join(""),
);

async function read(bytes: Uint8Array): Promise<{ content: Buffer; problems: FramingProblem[] }> {
  const problems: FramingProblem[] = [];
  const chunks: Uint8Array[] = [];
  for await (const chunk of unzstd(new ByteWindow(inPieces(bytes, 1000)), (p) => problems.push(p))) {
    chunks.push(Buffer.from(chunk));
  }
  return { content: Buffer.concat(chunks), problems };
}

describe("unzstd where the runtime has no zstd of its own", () => {
  it("reads the same", async () => {
    expect(zlib.createZstdDecompress).toBeUndefined();
    for (const bytes of [text, Buffer.alloc(300_000, "ab"), Buffer.from("")]) {
      const packed = zlib.zstdCompressSync(bytes, { params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } });
      const { content, problems } = await read(Buffer.concat([packed, packed]));
      expect(problems).toEqual([]);
      expect(content.equals(Buffer.concat([bytes, bytes]))).toBe(true);
    }
  });

  it("finds the same cuts and damage", async () => {
    const packed = zlib.zstdCompressSync(text);
    const cut = await read(packed.subarray(0, -2));
    expect(cut.problems).toMatchObject([{ code: "torn", offset: 0, bytes: packed.length - 2 }]);
    expect(text.subarray(0, cut.content.length).equals(cut.content)).toBe(true);
    const changed = Buffer.from(packed);
    changed.fill(0xff, 20, 60);
    expect((await read(changed)).problems).toMatchObject([{ code: "corrupt" }]);
  });
});
