import { isJsonObject, type JsonObject, type JsonValue } from "../../schema/index.ts";

class BadPatch extends Error {}

/** Elements that changes in the middle of lists may move; a real log moves a handful. */
const MOST_MOVED = 500_000_000;

/**
 * A JSON document under a growing list of changes (RFC 6902: add, remove, replace, move, copy, test). What the
 * caller gave is never changed: a container is copied before its first change, and then changed in place.
 */
export class PatchedDocument {
  #root: JsonValue | undefined;
  readonly #own = new WeakSet<object>();
  #moved = 0;

  constructor(root: JsonValue) {
    this.#root = root;
  }

  /** The document now; undefined after a list of changes that did not fit it. */
  get value(): JsonValue | undefined {
    return this.#root;
  }

  /** Applies a list of changes. False where one does not fit; what the document is then is not known. */
  apply(changes: unknown): boolean {
    if (this.#root === undefined || !Array.isArray(changes)) return false;
    try {
      for (const change of changes) this.#change(change);
      return true;
    } catch (error) {
      if (!(error instanceof BadPatch)) throw error;
      this.#root = undefined;
      return false;
    }
  }

  #change(change: unknown): void {
    if (!isJsonObject(change)) throw new BadPatch();
    const path = pointer(change["path"]);
    switch (change["op"]) {
      case "add":
        return this.#put(path, change["value"] ?? null, true);
      case "replace":
        return this.#put(path, change["value"] ?? null, false);
      case "remove":
        return this.#remove(path);
      case "copy":
        return this.#put(path, cloned(this.#get(pointer(change["from"]))), true);
      case "move": {
        const from = pointer(change["from"]);
        const value = this.#get(from);
        this.#remove(from);
        return this.#put(path, value, true);
      }
      case "test":
        return void this.#get(path);
      default:
        throw new BadPatch();
    }
  }

  #get(path: readonly string[]): JsonValue {
    let at: JsonValue = this.#root as JsonValue;
    for (const name of path) at = child(at, name);
    return at;
  }

  #put(path: readonly string[], value: JsonValue, isNew: boolean): void {
    const name = path.at(-1);
    if (name === undefined) {
      this.#root = value;
      return;
    }
    const holder = this.#holder(path);
    if (Array.isArray(holder)) {
      const place = isNew && name === "-" ? holder.length : index(name, holder.length + (isNew ? 1 : 0));
      if (!isNew) holder[place] = value;
      else this.#splice(holder, place, 0, value);
    } else {
      if (!isNew && !Object.hasOwn(holder, name)) throw new BadPatch();
      holder[name] = value;
    }
  }

  #remove(path: readonly string[]): void {
    const name = path.at(-1);
    if (name === undefined) throw new BadPatch();
    const holder = this.#holder(path);
    if (Array.isArray(holder)) this.#splice(holder, index(name, holder.length), 1);
    else if (Object.hasOwn(holder, name)) delete holder[name];
    else throw new BadPatch();
  }

  #splice(list: JsonValue[], place: number, out: number, ...added: JsonValue[]): void {
    this.#moved += list.length - place;
    if (this.#moved > MOST_MOVED) throw new BadPatch();
    list.splice(place, out, ...added);
  }

  /** The container a path's last name is in, made our own all the way down. */
  #holder(path: readonly string[]): JsonValue[] | JsonObject {
    let at = (this.#root = this.#ours(this.#root!));
    for (const name of path.slice(0, -1)) {
      const inner = this.#ours(child(at, name));
      if (Array.isArray(at)) at[index(name, at.length)] = inner;
      else at[name] = inner;
      at = inner;
    }
    return at;
  }

  #ours(value: JsonValue): JsonValue[] | JsonObject {
    if (typeof value !== "object" || value === null) throw new BadPatch();
    if (this.#own.has(value)) return value;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    this.#own.add(copy);
    return copy;
  }
}

function pointer(path: unknown): string[] {
  if (typeof path !== "string" || (path !== "" && !path.startsWith("/"))) throw new BadPatch();
  const names = path
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (names.includes("__proto__")) throw new BadPatch();
  return names;
}

/** A copy of its own: two places of one document must not change together. */
function cloned(value: JsonValue): JsonValue {
  try {
    return JSON.parse(JSON.stringify(value)) as JsonValue;
  } catch {
    throw new BadPatch(); // nested too deeply
  }
}

function child(holder: JsonValue, name: string): JsonValue {
  if (Array.isArray(holder)) return holder[index(name, holder.length)]!;
  if (!isJsonObject(holder) || !Object.hasOwn(holder, name)) throw new BadPatch();
  return holder[name]!;
}

/** A place below `end`. */
function index(name: string, end: number): number {
  const place = /^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : Number.NaN;
  if (!(place < end)) throw new BadPatch();
  return place;
}
