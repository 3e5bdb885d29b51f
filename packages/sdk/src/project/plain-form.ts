/**
 * What a value is to the projection. Written out so that every form is documented:
 *
 * | value | form |
 * | --- | --- |
 * | string, finite number, boolean, null, [], {} | as they are (-0 is 0) |
 * | NaN, Infinity | `"NaN"`, `"Infinity"`, `"-Infinity"` |
 * | bigint | its decimal digits as a string |
 * | undefined, function, symbol | left out of an object; null in an array |
 * | Date | ISO 8601 string; `"Invalid Date"` |
 * | Map | an object when all keys are strings, else a list of [key, value] pairs |
 * | Set | a list |
 * | Error | `{name, message, cause?, errors?}` and its own fields; no stack |
 * | RegExp, URL and other objects with `toJSON` | their text; what `toJSON` returns |
 * | boxed primitives | the primitive |
 * | Uint8Array, Buffer, ArrayBuffer, any view; `{type: "Buffer", data}` | `{media_type, bytes, sha256}` |
 * | Blob, File | `{media_type, bytes}` |
 * | any other object | its own enumerable string keys |
 */
export type PlainForm =
  | { readonly is: "primitive"; readonly value: unknown }
  | { readonly is: "list"; readonly values: Iterable<unknown>; readonly length: number }
  | { readonly is: "entries"; readonly entries: Iterable<readonly [unknown, unknown]> }
  | { readonly is: "pairs"; readonly entries: readonly (readonly [unknown, unknown])[] }
  | { readonly is: "bytes"; readonly bytes: Uint8Array }
  | { readonly is: "converted"; readonly value: unknown }
  | { readonly is: "record"; readonly record: object };

function* holes(list: readonly unknown[], length: number): Generator<unknown> {
  for (let i = 0; i < length; i += 1) yield list[i];
}

/** Kind of a built-in object, also one from another realm, where `instanceof` fails. */
function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

function bytesOf(value: object, tag: string): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (tag === "ArrayBuffer" || tag === "SharedArrayBuffer") return new Uint8Array(value as ArrayBuffer);
  return undefined;
}

function mapForm(map: Map<unknown, unknown>): PlainForm {
  const entries = [...Map.prototype.entries.call(map)] as [unknown, unknown][];
  const named = entries.every(([key]) => typeof key === "string");
  return named ? { is: "entries", entries } : { is: "pairs", entries };
}

function* errorEntries(error: Error): Generator<readonly [string, unknown]> {
  yield ["name", error.name];
  yield ["message", error.message];
  for (const key of ["cause", "errors"]) {
    if (Object.hasOwn(error, key)) yield [key, Reflect.get(error, key)];
  }
  for (const key of Object.keys(error)) {
    if (!["name", "message", "stack", "cause", "errors"].includes(key)) yield [key, Reflect.get(error, key)];
  }
}

function builtInForm(value: object, tag: string): PlainForm | undefined {
  switch (tag) {
    case "Date": {
      const time = Date.prototype.getTime.call(value);
      return { is: "primitive", value: Number.isNaN(time) ? "Invalid Date" : new Date(time).toISOString() };
    }
    case "Map":
      return mapForm(value as Map<unknown, unknown>);
    case "Set": {
      const values = [...Set.prototype.values.call(value)];
      return { is: "list", values, length: values.length };
    }
    case "RegExp":
      return { is: "primitive", value: RegExp.prototype.toString.call(value) };
    case "Number":
    case "String":
    case "Boolean":
    case "BigInt":
      return { is: "primitive", value: (value as { valueOf(): unknown }).valueOf() };
    case "Blob":
    case "File": {
      const { type, size } = value as { type: unknown; size: unknown };
      const media = typeof type === "string" && type !== "" ? type : "application/octet-stream";
      return { is: "converted", value: { media_type: media, bytes: size } };
    }
    default:
      return undefined;
  }
}

/** Sorts an object into its form. Reads `toJSON` once and calls it once. May throw what the object throws. */
export function plainForm(value: object): PlainForm {
  if (Array.isArray(value)) {
    const length = value.length;
    return { is: "list", values: holes(value, length), length };
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    const tag = tagOf(value);
    const bytes = bytesOf(value, tag);
    if (bytes !== undefined) return { is: "bytes", bytes };
    const form = builtInForm(value, tag);
    if (form !== undefined) return form;
    if (value instanceof Error || tag === "Error")
      return { is: "entries", entries: errorEntries(value as Error) };
  }
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return { is: "converted", value: Reflect.apply(toJSON, value, [""]) };
  return { is: "record", record: value };
}
