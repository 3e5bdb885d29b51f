import zlib from "node:zlib";

/** A message behind its length, as the Collector's file exporter writes it. */
export function prefixed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(message.length);
  return Buffer.concat([prefix, message]);
}

/** A file of several messages in each framing, and what it is found to be. */
export function framings(json: readonly Buffer[], proto: readonly Buffer[]): Record<string, Buffer> {
  const lines = Buffer.concat(json);
  const frames = Buffer.concat(proto.map(prefixed));
  const bare = json.map((line) => line.subarray(0, -1));
  const pretty = bare.map((text) => `${JSON.stringify(JSON.parse(String(text)), null, 2)}\n`);
  return {
    "json-lines": lines,
    json: Buffer.from(pretty.join("")),
    "length-prefixed+proto": frames,
    "length-prefixed+json": Buffer.concat(bare.map(prefixed)),
    "length-prefixed+zstd+json": Buffer.concat(bare.map((text) => prefixed(zlib.zstdCompressSync(text)))),
    "length-prefixed+zstd+proto": Buffer.concat(
      proto.map((message) => prefixed(zlib.zstdCompressSync(message))),
    ),
    "zstd+json-lines": zlib.zstdCompressSync(lines),
    "zstd+length-prefixed+proto": zlib.zstdCompressSync(frames),
    "gzip+json-lines": zlib.gzipSync(lines),
    "gzip+length-prefixed+proto": zlib.gzipSync(frames),
  };
}

/** Bytes in pieces, so that messages and frames are cut at any place. */
export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.slice(at, at + size);
    await Promise.resolve();
  }
}
