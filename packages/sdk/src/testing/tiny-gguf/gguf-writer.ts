// GGUF version 3, little-endian: header, key-value metadata, tensor directory, aligned F32 data.

const ALIGNMENT = 32;
const utf8 = new TextEncoder();

const TYPE = { u32: 4, f32: 6, bool: 7, string: 8, array: 9, i32: 5 } as const;

type ScalarType = "u32" | "f32" | "bool" | "string" | "i32";

/** A metadata value and how it is written. */
export type GgufValue =
  | { type: "u32" | "f32" | "i32"; value: number }
  | { type: "bool"; value: boolean }
  | { type: "string"; value: string }
  | { type: "array"; of: "string"; value: readonly string[] }
  | { type: "array"; of: "f32" | "i32"; value: readonly number[] };

export interface GgufTensor {
  name: string;
  /** Fastest dimension first. */
  dims: readonly number[];
  data: Float32Array;
}

/** The bytes of a GGUF file. */
export function writeGguf(
  metadata: readonly (readonly [key: string, value: GgufValue])[],
  tensors: readonly GgufTensor[],
): Uint8Array {
  const out = new ByteWriter();
  out.bytes(utf8.encode("GGUF"));
  out.u32(3);
  out.u64(tensors.length);
  out.u64(metadata.length);
  for (const [key, value] of metadata) {
    out.string(key);
    writeValue(out, value);
  }
  let offset = 0;
  for (const { name, dims, data } of tensors) {
    out.string(name);
    out.u32(dims.length);
    for (const dim of dims) out.u64(dim);
    out.u32(0); // F32
    out.u64(offset);
    offset += Math.ceil(data.byteLength / ALIGNMENT) * ALIGNMENT;
  }
  for (const { data } of tensors) {
    out.align(ALIGNMENT);
    for (const value of data) out.f32(value);
  }
  out.align(ALIGNMENT);
  return out.take();
}

function writeValue(out: ByteWriter, value: GgufValue): void {
  out.u32(TYPE[value.type]);
  if (value.type !== "array") return writeScalar(out, value.type, value.value);
  out.u32(TYPE[value.of]);
  out.u64(value.value.length);
  for (const item of value.value) writeScalar(out, value.of, item);
}

function writeScalar(out: ByteWriter, type: ScalarType, value: number | boolean | string): void {
  if (type === "string") return out.string(String(value));
  if (type === "bool") return out.bytes(Uint8Array.of(value === true ? 1 : 0));
  if (type === "f32") return out.f32(Number(value));
  return out.u32(Number(value)); // i32 has the same bytes
}

class ByteWriter {
  #buffer = new Uint8Array(1 << 16);
  #view = new DataView(this.#buffer.buffer);
  #length = 0;

  #room(size: number): number {
    const at = this.#length;
    if (at + size > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(2 * this.#buffer.length, at + size));
      larger.set(this.#buffer);
      this.#buffer = larger;
      this.#view = new DataView(larger.buffer);
    }
    this.#length = at + size;
    return at;
  }

  bytes(bytes: Uint8Array): void {
    const at = this.#room(bytes.length);
    this.#buffer.set(bytes, at);
  }

  u32(value: number): void {
    const at = this.#room(4);
    this.#view.setUint32(at, value, true);
  }

  u64(value: number): void {
    const at = this.#room(8);
    this.#view.setBigUint64(at, BigInt(value), true);
  }

  f32(value: number): void {
    const at = this.#room(4);
    this.#view.setFloat32(at, value, true);
  }

  string(text: string): void {
    const bytes = utf8.encode(text);
    this.u64(bytes.length);
    this.bytes(bytes);
  }

  align(to: number): void {
    this.#room((to - (this.#length % to)) % to);
  }

  take(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }
}
