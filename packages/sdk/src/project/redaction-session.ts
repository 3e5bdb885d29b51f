/** Secrets numbered one by one; more than a run ever holds. Beyond it, all share number 0. */
const MOST_SECRETS = 100_000;
/** Characters of text whose redacted form is remembered. */
const MOST_REMEMBERED = 4_000_000;

/** A redacted text and what its redaction counted. */
export interface RememberedText {
  readonly value: string;
  readonly hits: ReadonlyMap<string, number>;
}

/**
 * What the states of one trajectory share: the same secret gets the same placeholder in all of
 * them, since a placeholder that changes between two states would move belief.
 *
 * Also remembers the redacted form of long texts, so that a growing state costs only what is new in
 * it. Holds secrets in memory; it cannot be serialised and goes with the trajectory.
 */
export class RedactionSession {
  readonly #placeholders = new Map<string, string>();
  readonly #numbers = new Map<string, number>();
  readonly #texts = new WeakMap<object, Map<string, RememberedText>>();
  #remembered = 0;

  /** The placeholder of a secret, `[SECRET:rule:n]`; n counts the rule's different secrets from 1. */
  placeholder(rule: string, secret: string): string {
    const known = this.#placeholders.get(secret);
    if (known !== undefined) return known;
    if (this.#placeholders.size >= MOST_SECRETS) return `[SECRET:${rule}:0]`;
    const number = (this.#numbers.get(rule) ?? 0) + 1;
    this.#numbers.set(rule, number);
    const placeholder = `[SECRET:${rule}:${number}]`;
    this.#placeholders.set(secret, placeholder);
    return placeholder;
  }

  /** Keeps numbers free that a text already carries, so that a new secret does not take an old one's. */
  reserve(rule: string, number: number): void {
    if (number > (this.#numbers.get(rule) ?? 0)) this.#numbers.set(rule, number);
  }

  /** The redacted form of a text under a policy, if remembered. */
  recall(policy: object, text: string): RememberedText | undefined {
    return this.#texts.get(policy)?.get(text);
  }

  /** Remembers a redacted text; forgets all when there is too much. */
  remember(policy: object, text: string, redacted: RememberedText): void {
    let texts = this.#texts.get(policy);
    if (texts === undefined || this.#remembered + text.length > MOST_REMEMBERED) {
      texts = new Map();
      this.#texts.set(policy, texts);
      this.#remembered = 0;
    }
    texts.set(text, redacted);
    this.#remembered += text.length;
  }
}

/** A session for the states of one trajectory. */
export function createRedactionSession(): RedactionSession {
  return new RedactionSession();
}
