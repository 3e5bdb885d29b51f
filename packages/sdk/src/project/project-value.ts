import type { JsonObject, JsonValue } from "../schema/index.ts";
import { bytesOfString, bytesText, describeBytes, findBytes } from "./bytes/index.ts";
import { FieldWriter } from "./field-writer.ts";
import { mediaTypeAmong } from "./media-type-among.ts";
import { plainForm, type PlainForm } from "./plain-form.ts";
import type { ProjectionPass } from "./projection-pass.ts";
import { redactString } from "./redact-string.ts";
import { FieldReader, type Field } from "./read-fields.ts";

/**
 * Where a value stands. In `{blocks: [{text}]}` a text must stay a text, so `inBlocks` counts how far
 * the path follows that shape: 0 not at all, 1 the state, 2 its blocks, 3 a block, 4 a block's field.
 */
interface Place {
  readonly depth: number;
  readonly level: number;
  readonly inBlocks: 0 | 1 | 2 | 3 | 4;
}

function below(place: Place, key?: string): Place {
  const { inBlocks } = place;
  const on = (inBlocks === 1 && key === "blocks") || (inBlocks === 2 && key === undefined) || inBlocks === 3;
  return { depth: place.depth + 1, level: place.level, inBlocks: on ? ((inBlocks + 1) as 2 | 3 | 4) : 0 };
}

function isByteArray(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.every((b) => Number.isInteger(b) && (b as number) >= 0 && (b as number) < 256)
  );
}

/** Walks one value. */
class ValueProjector {
  readonly #pass: ProjectionPass;
  readonly #ancestors = new Set<object>();

  constructor(pass: ProjectionPass) {
    this.#pass = pass;
  }

  /** The value as JSON; undefined for what has no place in JSON. Never throws. */
  project(value: unknown, place: Place, mediaType?: string): JsonValue | undefined {
    switch (typeof value) {
      case "string":
        return this.#text(value, place, mediaType);
      case "number":
        return Number.isFinite(value) ? value + 0 : String(value);
      case "boolean":
        return value;
      case "bigint":
        return this.#text(value.toString(), place);
      case "object":
        return value === null ? null : this.#object(value, place, mediaType);
      default:
        return undefined;
    }
  }

  #text(text: string, place: Place, mediaType?: string): JsonValue {
    if (place.inBlocks !== 4 && text.length >= 64) {
      const bytes = this.#wholeBytes(text, mediaType);
      if (bytes !== undefined) {
        this.#pass.tally.count("bytes");
        return bytes;
      }
    }
    return redactString(text, this.#pass, place.level);
  }

  #wholeBytes(text: string, mediaType: string | undefined): JsonObject | undefined {
    if (!text.startsWith("data:")) {
      const bytes = bytesOfString(text, mediaType);
      return bytes !== undefined && this.#pass.tally.spend(text.length) ? bytes : undefined;
    }
    const [uri] = findBytes(text);
    return uri?.start === 0 && uri.end === text.length && this.#pass.tally.spend(text.length)
      ? uri.description
      : undefined;
  }

  #object(value: object, place: Place, mediaType?: string): JsonValue | undefined {
    const { policy, tally } = this.#pass;
    if (!tally.node()) return tally.fail("budget");
    if (place.depth >= policy.maxDepth) return tally.fail("depth");
    if (this.#ancestors.has(value)) return tally.fail("cycle");
    this.#ancestors.add(value);
    try {
      const form = plainForm(value);
      // A toJSON that returns the object itself means: as it stands.
      const itself = form.is === "converted" && form.value === value;
      return this.#form(itself ? { is: "record", record: value } : form, place, mediaType);
    } catch {
      return tally.fail("unreadable");
    } finally {
      this.#ancestors.delete(value);
    }
  }

  #form(form: PlainForm, place: Place, mediaType?: string): JsonValue | undefined {
    switch (form.is) {
      case "primitive":
        return this.project(form.value, place);
      case "converted":
        return this.project(form.value, { ...place, depth: place.depth + 1 });
      case "list":
        return this.#list(form.values, place);
      case "pairs":
        return this.#list(form.entries, place);
      case "bytes":
        return this.#bytes(form.bytes, place, mediaType);
      case "entries":
        return this.#fields(new FieldReader(this.#pass, place.level).fromEntries(form.entries), place);
      case "record":
        return this.#fields(new FieldReader(this.#pass, place.level).fromRecord(form.record), place);
    }
  }

  #bytes(bytes: Uint8Array, place: Place, mediaType?: string): JsonValue {
    const { tally } = this.#pass;
    if (!tally.spend(bytes.length)) return tally.fail("budget");
    tally.count("bytes");
    const description = describeBytes(bytes, mediaType);
    return place.inBlocks === 4 ? bytesText(description) : description;
  }

  #list(values: Iterable<unknown>, place: Place): JsonValue {
    const { tally } = this.#pass;
    const out: JsonValue[] = [];
    const inner = below(place);
    for (const value of values) {
      // Objects count themselves; a list of ten million numbers must end too.
      if (!tally.node()) {
        out.push(tally.fail("budget"));
        break;
      }
      out.push(this.project(value, inner) ?? null);
    }
    return out;
  }

  #fields(fields: readonly Field[], place: Place): JsonValue {
    const bytes = this.#storedBuffer(fields, place);
    if (bytes !== undefined) return bytes;
    const { tally } = this.#pass;
    const out = new FieldWriter();
    const mediaType = mediaTypeAmong(fields);
    for (const { key, value, replacement } of fields) {
      if (replacement !== undefined) {
        out.set(key, replacement);
        continue;
      }
      if (!tally.node()) {
        out.set("removed", tally.fail("budget"));
        break;
      }
      const projected = this.project(value, below(place, key), mediaType);
      if (projected !== undefined) out.set(key, projected);
    }
    return out.object;
  }

  /** A Buffer that went through JSON: `{type: "Buffer", data: [...]}`. */
  #storedBuffer(fields: readonly Field[], place: Place): JsonValue | undefined {
    const [type, data] = fields;
    if (fields.length !== 2 || type?.key !== "type" || type.value !== "Buffer") return undefined;
    if (data?.key !== "data" || !isByteArray(data.value)) return undefined;
    return this.#bytes(Uint8Array.from(data.value), place);
  }
}

/** Projects a host's value, read live, as a state: key rules, text rules, documented forms, markers. */
export function projectLive(value: unknown, pass: ProjectionPass): JsonValue | undefined {
  const inBlocks = Array.isArray(value) ? 2 : typeof value === "string" ? 4 : 1;
  return new ValueProjector(pass).project(value, { depth: 0, level: 0, inBlocks });
}

/** Projects a value that was read out of a text, `level` texts deep, beside a media type perhaps. */
export function projectParsed(
  value: unknown,
  level: number,
  pass: ProjectionPass,
  mediaType?: string,
): JsonValue {
  return new ValueProjector(pass).project(value, { depth: 0, level, inBlocks: 0 }, mediaType) ?? null;
}
