const MOST_DEPTH = 16;

/** Bytes are told apart by which object they are and how long. */
interface BytesShape {
  readonly bytes: object;
  readonly length: number;
}

/**
 * What a value was made of at one moment: its texts, numbers and structure, copied so that a later change
 * of the value can be seen. Texts are shared with it, so that comparing them is cheap.
 */
export type Shape =
  string | number | boolean | null | undefined | BytesShape | readonly Shape[] | Map<string, Shape>;

/** Stands for what has no shape: it equals nothing, not even itself. */
const NO_SHAPE = Number.NaN;

function isBytes(value: object): value is ArrayBuffer | ArrayBufferView {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The shape of a value; `NaN`, which nothing equals, for functions, instances, getters, cycles and what is too deep. */
export function shapeOf(value: unknown, depth = 0): Shape {
  if (typeof value === "string" || typeof value === "boolean" || value === null || value === undefined)
    return value;
  if (typeof value === "number") return value;
  if (typeof value !== "object" || depth > MOST_DEPTH) return NO_SHAPE;
  if (Array.isArray(value)) return value.map((item) => shapeOf(item, depth + 1));
  if (isBytes(value)) return { bytes: value, length: value.byteLength };
  if (!isPlain(value)) return NO_SHAPE;
  const fields = new Map<string, Shape>();
  for (const key of Object.keys(value)) {
    const field = Object.getOwnPropertyDescriptor(value, key);
    fields.set(key, field?.get === undefined ? shapeOf(field?.value, depth + 1) : NO_SHAPE);
  }
  return fields;
}

function hasListShape(value: unknown, shape: readonly Shape[], depth: number): boolean {
  if (!Array.isArray(value) || value.length !== shape.length) return false;
  for (let i = 0; i < shape.length; i += 1) if (!hasShape(value[i], shape[i], depth)) return false;
  return true;
}

function hasFields(value: object, shape: Map<string, Shape>, depth: number): boolean {
  if (!isPlain(value) || Array.isArray(value)) return false;
  const keys = Object.keys(value);
  if (keys.length !== shape.size) return false;
  for (const key of keys) {
    if (!shape.has(key) || !hasShape((value as Record<string, unknown>)[key], shape.get(key), depth))
      return false;
  }
  return true;
}

/** True where a value is made of the same as the one the shape was taken of. */
export function hasShape(value: unknown, shape: Shape, depth = 0): boolean {
  if (typeof shape !== "object" || shape === null) return value === shape;
  if (typeof value !== "object" || value === null || depth > MOST_DEPTH) return false;
  if (shape instanceof Map) return hasFields(value, shape, depth + 1);
  if (Array.isArray(shape)) return hasListShape(value, shape, depth + 1);
  const { bytes, length } = shape as BytesShape;
  return value === bytes && length === (value as ArrayBuffer).byteLength;
}
