import { bytesOf, checksum } from "./bytes-in-memory.ts";

const MOST_DEPTH = 16;
const MOST_VALUES = 50_000;

/** Marks in a shape what opens and closes. */
const LIST = Symbol("list");
const FIELDS = Symbol("fields");
const END = Symbol("end");
/** Stands for what has no shape: it equals nothing, not even itself. */
const NOTHING = Number.NaN;

/**
 * What a value was made of at one moment, in the order of a walk through it: its texts, numbers, keys and
 * structure, so that a later change of the value can be seen. Texts are shared with it, so that comparing
 * them is cheap. Bytes are told apart by which object they are, how long, and a checksum.
 */
export type Shape = readonly unknown[];

/** Equals nothing. */
export const NO_SHAPE: Shape = [NOTHING];

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function write(value: unknown, shape: unknown[], depth: number): void {
  if (typeof value !== "object" || value === null) {
    // A function can be another one tomorrow.
    shape.push(typeof value === "function" || typeof value === "symbol" ? NOTHING : value);
  } else if (depth > MOST_DEPTH || shape.length > MOST_VALUES) shape.push(NOTHING);
  else if (Array.isArray(value)) {
    shape.push(LIST);
    for (let i = 0; i < value.length && shape.length <= MOST_VALUES; i += 1)
      write(value[i], shape, depth + 1);
    shape.push(END);
  } else if (isPlain(value)) {
    shape.push(FIELDS);
    for (const key in value) {
      if (shape.length > MOST_VALUES) break;
      shape.push(key);
      write((value as Record<string, unknown>)[key], shape, depth + 1);
    }
    shape.push(END);
  } else {
    const bytes = bytesOf(value);
    if (bytes === undefined) shape.push(NOTHING);
    else shape.push(value, bytes.length, checksum(bytes));
  }
}

/**
 * The shape of a value. What has none (functions, instances, cycles, what is too deep or too much) makes the
 * whole equal nothing, so that it is read again each time.
 */
export function shapeOf(value: unknown): Shape {
  const shape: unknown[] = [];
  write(value, shape, 0);
  if (shape.length > MOST_VALUES) return NO_SHAPE;
  return shape;
}

/** Walks a value beside a shape. */
class Comparison {
  readonly #shape: Shape;
  #at = 0;

  constructor(shape: Shape) {
    this.#shape = shape;
  }

  isSame(value: unknown): boolean {
    const expected = this.#shape[this.#at];
    this.#at += 1;
    if (typeof value !== "object" || value === null) return value === expected;
    if (expected === LIST) return Array.isArray(value) && this.#isSameList(value);
    if (expected === FIELDS) return isPlain(value) && !Array.isArray(value) && this.#hasSameFields(value);
    const bytes = value === expected ? bytesOf(value) : undefined;
    if (bytes === undefined) return false;
    this.#at += 2;
    return this.#shape[this.#at - 2] === bytes.length && this.#shape[this.#at - 1] === checksum(bytes);
  }

  #isSameList(list: readonly unknown[]): boolean {
    for (let i = 0; i < list.length; i += 1) if (!this.isSame(list[i])) return false;
    return this.#ends();
  }

  #hasSameFields(value: object): boolean {
    for (const key in value) {
      if (this.#shape[this.#at] !== key) return false;
      this.#at += 1;
      if (!this.isSame((value as Record<string, unknown>)[key])) return false;
    }
    return this.#ends();
  }

  #ends(): boolean {
    this.#at += 1;
    return this.#shape[this.#at - 1] === END;
  }
}

/** True where a value is made of the same, in the same order, as the one the shape was taken of. */
export function hasShape(value: unknown, shape: Shape): boolean {
  return new Comparison(shape).isSame(value);
}
