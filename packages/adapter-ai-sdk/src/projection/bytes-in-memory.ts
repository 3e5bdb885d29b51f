type Zlib = Partial<Pick<typeof import("node:zlib"), "crc32">>;

/** Node's own, got without an import, as any runtime must load this. */
const zlib: Zlib | undefined = globalThis.process?.getBuiltinModule?.("node:zlib");

/** The bytes of a value that holds any; undefined for another one. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (!ArrayBuffer.isView(value)) return undefined;
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

/**
 * Tells apart what the same memory held at two moments, as a buffer that a host fills again for the next
 * picture. It costs a small part of a digest; undefined where the runtime has none.
 */
export function checksum(bytes: Uint8Array): number | undefined {
  return zlib?.crc32?.(bytes);
}
