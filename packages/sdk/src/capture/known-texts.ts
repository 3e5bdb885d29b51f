import { isJsonObject, type JsonValue } from "../schema/index.ts";

/** Below this length a text reads the same wherever it stands: only a longer one can be bytes. */
export const SHORT_TEXT = 64;
const LONGEST = 4096;

/**
 * Texts that the rules are known to leave as they are, so that names, arguments and prompts that come
 * again and again are searched once. Only for rules that give the same answer for the same text.
 */
export class KnownTexts {
  readonly #texts = new Set<string>();
  readonly #mostChars: number;
  #chars = 0;

  /** @param mostChars characters that are remembered; beyond it all is forgotten */
  constructor(mostChars: number) {
    this.#mostChars = mostChars;
  }

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  add(text: string): void {
    // A placeholder that a text carries keeps its number from new secrets: it must be read every time.
    if (text.includes("[SECRET:") || this.#texts.has(text)) return;
    if (this.#chars + text.length > this.#mostChars) {
      this.#texts.clear();
      this.#chars = 0;
    }
    // The set's own cost counts too, or empty texts would be free.
    this.#chars += text.length + 16;
    this.#texts.add(text);
  }

  /** Adds the texts and keys of a projected value of which nothing was removed. */
  addAll(value: JsonValue): void {
    if (typeof value === "string") {
      if (value.length <= LONGEST) this.add(value);
    } else if (Array.isArray(value)) {
      for (const item of value) this.addAll(item);
    } else if (isJsonObject(value)) {
      for (const key of Object.keys(value)) {
        if (key.length < SHORT_TEXT) this.add(key);
        this.addAll(value[key]!);
      }
    }
  }
}
