const MOST_DEPTH = 16;
const MOST_VALUES = 50_000;

/** Bytes are told apart by which object they are and how long. */
interface BytesShape {
  readonly is: "bytes";
  readonly bytes: object;
  readonly length: number;
}

interface FieldsShape {
  readonly is: "fields";
  readonly keys: readonly string[];
  readonly values: readonly Shape[];
}

interface ListShape {
  readonly is: "list";
  readonly values: readonly Shape[];
}

/**
 * What a value was made of at one moment: its texts, numbers and structure, copied so that a later change
 * of the value can be seen. Texts are shared with it, so that comparing them is cheap.
 */
export type Shape = string | number | boolean | null | undefined | BytesShape | FieldsShape | ListShape;

/** Stands for what has no shape: it equals nothing, not even itself. */
const NO_SHAPE = Number.NaN;

interface Walk {
  values: number;
}

function isBytes(value: object): value is ArrayBuffer | ArrayBufferView {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function shaped(value: unknown, walk: Walk, depth: number): Shape {
  walk.values -= 1;
  if (walk.values < 0 || typeof value === "function" || typeof value === "symbol") return NO_SHAPE;
  if (typeof value === "bigint" || depth > MOST_DEPTH) return NO_SHAPE;
  if (typeof value !== "object" || value === null) return value as Shape;
  if (Array.isArray(value)) return { is: "list", values: listShapes(value, walk, depth + 1) };
  if (isBytes(value)) return { is: "bytes", bytes: value, length: value.byteLength };
  return isPlain(value) ? fieldShapes(value, walk, depth + 1) : NO_SHAPE;
}

function listShapes(list: readonly unknown[], walk: Walk, depth: number): Shape[] {
  const shapes: Shape[] = [];
  for (const item of list) shapes.push(walk.values < 0 ? NO_SHAPE : shaped(item, walk, depth));
  return shapes;
}

function fieldShapes(value: object, walk: Walk, depth: number): Shape {
  const keys = Object.keys(value);
  const values: Shape[] = [];
  for (const key of keys) {
    if (walk.values < 0) return NO_SHAPE;
    const field = Object.getOwnPropertyDescriptor(value, key);
    values.push(field?.get === undefined ? shaped(field?.value, walk, depth) : NO_SHAPE);
  }
  return { is: "fields", keys, values };
}

/**
 * The shape of a value. What has none (functions, instances, getters, cycles, what is too deep or too much)
 * makes the whole equal nothing, so that it is read again each time.
 */
export function shapeOf(value: unknown): Shape {
  return shaped(value, { values: MOST_VALUES }, 0);
}

function hasListShape(value: object, { values }: ListShape): boolean {
  if (!Array.isArray(value) || value.length !== values.length) return false;
  for (let i = 0; i < values.length; i += 1) if (!hasShape(value[i], values[i])) return false;
  return true;
}

function hasFieldsShape(value: object, shape: FieldsShape): boolean {
  if (!isPlain(value)) return false;
  const keys = Object.keys(value);
  if (keys.length !== shape.keys.length) return false;
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i]!;
    if (key !== shape.keys[i]) return false;
    if (!hasShape((value as Record<string, unknown>)[key], shape.values[i])) return false;
  }
  return true;
}

/** True where a value is made of the same, in the same order, as the one the shape was taken of. */
export function hasShape(value: unknown, shape: Shape): boolean {
  if (typeof shape !== "object" || shape === null) return value === shape;
  if (typeof value !== "object" || value === null) return false;
  if (shape.is === "fields") return hasFieldsShape(value, shape);
  if (shape.is === "list") return hasListShape(value, shape);
  return value === shape.bytes && shape.length === (value as ArrayBuffer).byteLength;
}
