import { reprBytes, reprText, reprValue, type PythonNode, type PythonPart } from "../python-literal/index.ts";
import { describeBytes } from "./bytes/index.ts";
import { mediaTypeAmong } from "./media-type-among.ts";
import type { ProjectionPass } from "./projection-pass.ts";
import { FieldReader, type Field } from "./read-fields.ts";
import { redactString } from "./redact-string.ts";

/** A shorter text is no payload, whatever media type stands beside it. */
const SHORTEST_BYTES = 64;

/** A name for the rules; what nests in a key is projected as a value instead. */
function nameOf(key: PythonNode, text: string): string {
  if (key.kind === "text" || key.kind === "bytes") return key.value as string;
  return key.parts.length === 0 ? text.slice(key.start, key.end) : "";
}

/** Takes out of a text that Python printed what no evaluator may see, and leaves all other characters. */
class PythonProjector {
  readonly #text: string;
  readonly #pass: ProjectionPass;
  readonly #level: number;
  #out = "";
  #copied = 0;

  constructor(text: string, pass: ProjectionPass, level: number) {
    this.#text = text;
    this.#pass = pass;
    this.#level = level;
  }

  whole(root: PythonNode): string {
    this.#project(root);
    return this.#copied === 0 ? this.#text : this.#out + this.#text.slice(this.#copied);
  }

  /** Puts something in place of [start, end). Called in the order of the text. */
  #replace(start: number, end: number, replacement: string): void {
    this.#out += this.#text.slice(this.#copied, start) + replacement;
    this.#copied = end;
  }

  #project(node: PythonNode, mediaType?: string): void {
    switch (node.kind) {
      case "scalar":
      case "name":
        return;
      case "text":
      case "bytes":
        this.#textOrBytes(node, mediaType);
        return;
      case "deep":
        this.#replace(node.start, node.end, reprText(this.#pass.tally.fail("depth")));
        return;
      default:
        this.#container(node);
    }
  }

  #textOrBytes(node: PythonNode, mediaType?: string): void {
    const { start, end, bytes } = node;
    if (bytes !== undefined) {
      const { tally } = this.#pass;
      const fits = tally.spend(bytes.length);
      if (fits) tally.count("bytes");
      this.#replace(start, end, reprValue(fits ? describeBytes(bytes, mediaType) : tally.fail("budget")));
      return;
    }
    const text = node.value as string;
    // Only a longer one can be bytes.
    const projected =
      text.length < SHORTEST_BYTES
        ? redactString(text, this.#pass, this.#level)
        : this.#pass.projectParsed(text, this.#level, mediaType);
    if (projected === node.value) return;
    const isBytes = node.kind === "bytes" && typeof projected === "string";
    this.#replace(start, end, isBytes ? reprBytes(projected) : reprValue(projected));
  }

  #container(node: PythonNode): void {
    const { tally } = this.#pass;
    if (!tally.node()) {
      this.#replace(node.start, node.end, reprText(tally.fail("budget")));
      return;
    }
    const { parts } = node;
    const keyed = parts.filter(({ key }) => key !== undefined);
    const fields = keyed.length === 0 ? [] : this.#fields(keyed);
    const kept = new Map(fields.map((field) => [keyed[field.at ?? -1], field]));
    const mediaType = keyed.length === 0 ? undefined : mediaTypeAmong(fields);
    let last: PythonPart | undefined;
    let cut: PythonPart | undefined;
    for (const part of parts) {
      const field = kept.get(part);
      if (part.key !== undefined && field === undefined) {
        cut ??= part;
        continue;
      }
      // With the comma behind it, up to what stays.
      if (cut !== undefined) this.#replace(cut.start, part.start, "");
      cut = undefined;
      if (!tally.node()) {
        this.#replace(part.start, parts.at(-1)!.end, this.#budgetMarker(part));
        return;
      }
      if (part.key !== undefined && field !== undefined) this.#entry(part, part.key, field, mediaType);
      else this.#project(part.value);
      last = part;
    }
    if (cut === undefined) return;
    if (last === undefined) this.#replace(cut.start, node.close, "");
    else this.#replace(last.end, parts.at(-1)!.end, "");
  }

  #fields(keyed: readonly PythonPart[]): Field[] {
    const entries = keyed.map(({ key, value }) => [nameOf(key!, this.#text), value.value] as const);
    return new FieldReader(this.#pass, this.#level).fromEntries(entries);
  }

  #entry({ value }: PythonPart, key: PythonNode, field: Field, mediaType?: string): void {
    if (key.parts.length > 0) this.#project(key);
    // A word before `=` can be no other; the text rules still see it in the whole text.
    else if (key.kind !== "name" && field.key !== nameOf(key, this.#text)) {
      this.#replace(key.start, key.end, key.kind === "bytes" ? reprBytes(field.key) : reprText(field.key));
    }
    if (field.replacement === undefined) this.#project(value, mediaType);
    else this.#replace(value.start, value.end, reprText(field.replacement));
  }

  #budgetMarker({ key }: PythonPart): string {
    const marker = reprText(this.#pass.tally.fail("budget"));
    if (key === undefined) return marker;
    return key.end < this.#text.length && this.#text[key.end] === "="
      ? `removed=${marker}`
      : `'removed': ${marker}`;
  }
}

/**
 * Projects a text that is one Python value, as read by `readPython`, by the rules for values: entries of
 * dicts and `name=value` go by their keys, texts in it are redacted, bytes that hold no text become
 * `{'media_type': ..., 'bytes': ..., 'sha256': ...}`.
 *
 * The result is the text without what was removed: what is replaced is written as `repr()` writes it,
 * all other characters stay as they were, so that numbers, tuples and layout are an evaluator's to see.
 *
 * @param level how many texts deep the texts in it stand
 */
export function projectPython(root: PythonNode, text: string, level: number, pass: ProjectionPass): string {
  return new PythonProjector(text, pass, level).whole(root);
}
