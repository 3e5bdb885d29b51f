import { hash } from "node:crypto";
import { STATE } from "../asv-spans/attributes.ts";
import type { ForeignStates, Hits } from "./foreign-states.ts";
import type { ProcessedSpan } from "./processed-span.ts";

/** What a span says of one of its two states. */
export interface DeclaredState {
  readonly text: unknown;
  readonly sha256: unknown;
  readonly length: unknown;
}

/** A state as it goes into a record. */
export type StateReading =
  /** Canonical JSON on one line, digested. */
  | { readonly kind: "text"; readonly text: string; readonly sha256: string; readonly hits?: Hits }
  /** The span gives the digest alone. */
  | { readonly kind: "digest" }
  /** The text is not what was declared. */
  | { readonly kind: "damaged" }
  /** The span says nothing of it. */
  | { readonly kind: "none" };

const NONE: StateReading = { kind: "none" };
const DIGEST: StateReading = { kind: "digest" };
const DAMAGED: StateReading = { kind: "damaged" };

/** How every state begins that the SDK's recorder writes. */
const OWN_START = '{"blocks":[';

export function declaredBefore({ attributes }: ProcessedSpan): DeclaredState {
  return {
    text: attributes[STATE.before],
    sha256: attributes[STATE.beforeSha256],
    length: attributes[STATE.beforeLength],
  };
}

export function declaredAfter({ attributes }: ProcessedSpan): DeclaredState {
  return {
    text: attributes[STATE.after],
    sha256: attributes[STATE.afterSha256],
    length: attributes[STATE.afterLength],
  };
}

/** A declared digest that is one. Where the text is at hand, comparing it with the text's own says more. */
export function digestOf(value: unknown): string | undefined {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value) ? value : undefined;
}

/**
 * Reads a state of a span of the SDK's recorder. Its text is the RFC 8785 canonical JSON of a projected
 * state, so it may stand in a line as it is, once its length and SHA-256 show that it is still that text.
 *
 * @param incomplete the span has lost attributes, so what is missing may have been there
 */
export function readOwnState({ text, sha256, length }: DeclaredState, incomplete: boolean): StateReading {
  if (text === undefined) return withoutText(sha256, length, incomplete);
  if (typeof text !== "string" || text.length !== length) return DAMAGED;
  // A line feed is white space to JSON and the end of a record to JSONL.
  if (!text.startsWith(OWN_START) || text.includes("\n")) return DAMAGED;
  const found = sha256Of(text);
  return found === sha256 ? { kind: "text", text, sha256: found } : DAMAGED;
}

/**
 * Reads a state that another writer put on a span: what was declared must hold, and the text is parsed,
 * projected and written anew, as nothing says that its writer redacted it.
 */
export function readForeignState(
  { text, sha256, length }: DeclaredState,
  incomplete: boolean,
  states: ForeignStates,
): StateReading {
  if (text === undefined) return withoutText(sha256, length, incomplete);
  if (typeof text !== "string" || (length !== undefined && length !== text.length)) return DAMAGED;
  if (sha256 !== undefined && sha256Of(text) !== sha256) return DAMAGED;
  const projected = states.project(text);
  if (projected === undefined) return DAMAGED;
  return { kind: "text", text: projected.text, sha256: sha256Of(projected.text), hits: projected.hits };
}

function withoutText(sha256: unknown, length: unknown, incomplete: boolean): StateReading {
  if (digestOf(sha256) !== undefined) return incomplete ? DAMAGED : DIGEST;
  return incomplete || sha256 !== undefined || length !== undefined ? DAMAGED : NONE;
}

/** SHA-256 of a text's UTF-8 bytes, 64 lower-case hex digits. */
function sha256Of(text: string): string {
  return hash("sha256", text);
}
