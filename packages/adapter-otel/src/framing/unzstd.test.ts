import { describe, expect, it } from "vitest";
import zlib from "node:zlib";
import { ByteWindow } from "./byte-window.ts";
import { boundExpansion } from "./bound-expansion.ts";
import type { FramingProblem } from "./framing-problem.ts";
import { inPieces } from "./framings.test-support.ts";
import { unzstd } from "./unzstd.ts";

const checksummed = { params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } };
const text = Buffer.from(
  Array.from({ length: 20_000 }, (_, i) => `line ${i} ${(i * 2654435761) % 99991}\n`).join(""),
);

async function read(
  bytes: Uint8Array,
  piece = 65_536,
): Promise<{ content: Buffer; problems: FramingProblem[] }> {
  const problems: FramingProblem[] = [];
  const chunks: Uint8Array[] = [];
  for await (const chunk of unzstd(new ByteWindow(inPieces(bytes, piece)), (p) => problems.push(p))) {
    chunks.push(Buffer.from(chunk));
  }
  return { content: Buffer.concat(chunks), problems };
}

describe("unzstd", () => {
  it("reads every frame of a stream: two that come at once, skippable ones between", async () => {
    const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9]);
    const one = zlib.zstdCompressSync(text, checksummed);
    const two = zlib.zstdCompressSync("behind");
    for (const piece of [7, 65_536, 1 << 24]) {
      const { content, problems } = await read(Buffer.concat([one, skippable, two]), piece);
      expect(problems).toEqual([]);
      expect(content.equals(Buffer.concat([text, Buffer.from("behind")]))).toBe(true);
    }
  });

  it("gives all blocks before a cut or a changed byte, and the place", async () => {
    const packed = zlib.zstdCompressSync(text, checksummed);
    const cut = await read(packed.subarray(0, -2));
    expect(cut.problems).toMatchObject([{ code: "torn", offset: 0, bytes: packed.length - 2 }]);
    expect(cut.content.length).toBeGreaterThanOrEqual(131_072);
    expect(text.subarray(0, cut.content.length).equals(cut.content)).toBe(true);
    const behind = await read(Buffer.concat([packed, Buffer.from("rubbish")]));
    expect(behind.problems).toMatchObject([{ code: "corrupt", offset: packed.length }]);
    expect(behind.content.length).toBe(text.length);
    const changed = Buffer.from(packed);
    changed[changed.length - 1]! ^= 0xff;
    expect((await read(changed)).problems).toMatchObject([{ code: "corrupt" }]);
  });

  it("refuses a frame that asks for more memory than a decoder must have", async () => {
    // Window descriptor 0xa8: exponent 21, a window of 2^31 bytes.
    const greedy = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    const { problems } = await read(greedy);
    expect(problems).toMatchObject([{ code: "corrupt", offset: 0 }]);
    expect(problems[0]!.reason).toContain("2147483648 bytes");
  });

  it("stops what decompresses to far more than telemetry does", async () => {
    const bomb = zlib.zstdCompressSync(Buffer.alloc(200_000_000));
    const window = new ByteWindow(inPieces(bomb, 65_536));
    const problems: FramingProblem[] = [];
    let out = 0;
    for await (const chunk of boundExpansion(
      unzstd(window, () => {}),
      window,
      (p) => problems.push(p),
    )) {
      out += chunk.length;
    }
    expect(problems).toMatchObject([{ code: "expansion" }]);
    expect(out).toBeLessThan(100_000_000);
  });
});
