const MOST_DEPTH = 16;
const MOST_VALUES = 50_000;

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

interface Walk {
  values: number;
}

function shaped(value: unknown, walk: Walk, depth: number): Shape {
  walk.values -= 1;
  if (walk.values < 0 || typeof value === "function" || typeof value === "symbol") return NO_SHAPE;
  if (typeof value === "bigint" || depth > MOST_DEPTH) return NO_SHAPE;
  if (typeof value !== "object" || value === null) return value as Shape;
  if (Array.isArray(value))
    return value.map((item) => (walk.values < 0 ? NO_SHAPE : shaped(item, walk, depth + 1)));
  if (isBytes(value)) return { bytes: value, length: value.byteLength };
  return isPlain(value) ? fieldShapes(value, walk, depth + 1) : NO_SHAPE;
}

function fieldShapes(value: object, walk: Walk, depth: number): Shape {
  const fields = new Map<string, Shape>();
  for (const key of Object.keys(value)) {
    if (walk.values < 0) return NO_SHAPE;
    const field = Object.getOwnPropertyDescriptor(value, key);
    fields.set(key, field?.get === undefined ? shaped(field?.value, walk, depth) : NO_SHAPE);
  }
  return fields;
}

/**
 * The shape of a value. What has none (functions, instances, getters, cycles, what is too deep or too much)
 * makes the whole equal nothing, so that it is read again each time.
 */
export function shapeOf(value: unknown): Shape {
  return shaped(value, { values: MOST_VALUES }, 0);
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
