import { isJsonObject, stateSha256, type State } from "@agent-step-value/sdk";
import { hash } from "node:crypto";
import { STATE } from "../../asv-spans/attributes.ts";
import { countAt, digestAt } from "../../spans/attribute-reading.ts";
import type { Attributes, AttributeValue } from "../../spans/otel-span.ts";

/** What a step's span says of one of its states. */
export interface DeclaredState {
  readonly text: AttributeValue | undefined;
  readonly sha256: string | undefined;
  /** UTF-16 units of the canonical JSON. */
  readonly length: number | undefined;
}

export type StateSide = "before" | "after";

export function declaredState(attributes: Attributes, side: StateSide): DeclaredState {
  const before = side === "before";
  return {
    text: attributes.get(before ? STATE.before : STATE.after),
    sha256: digestAt(attributes, before ? STATE.beforeSha256 : STATE.afterSha256),
    length: countAt(attributes, before ? STATE.beforeLength : STATE.afterLength),
  };
}

/** Deeper states cannot be stored as records. */
const DEPTH_LIMIT = 900;

/** A text as a state with its digest, or what is wrong with it: it was cut, or is no longer what was declared. */
export function readState(
  text: AttributeValue,
  declared: Pick<DeclaredState, "sha256" | "length">,
): { readonly state: State; readonly sha256: string } | "cut" | "damaged" {
  if (typeof text !== "string") return "damaged";
  const lost = declared.length !== undefined && text.length < declared.length ? "cut" : "damaged";
  try {
    const state: unknown = JSON.parse(text);
    if (!isJsonObject(state) || !isShallow(state, 0)) return lost;
    // Of the parsed state and not of the text: a backend may have written the same JSON anew.
    const sha256 = stateSha256(state, sha256Of);
    if (declared.sha256 !== undefined && declared.sha256 !== sha256) return lost;
    if (declared.sha256 === undefined && declared.length !== undefined && text.length !== declared.length) {
      return lost;
    }
    return { state, sha256 };
  } catch {
    return lost;
  }
}

/** Node's own one-shot form, several times faster than the portable one. */
export function sha256Of(text: string): string {
  return hash("sha256", text);
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth > DEPTH_LIMIT) return false;
  return Object.values(value).every((item) => isShallow(item, depth + 1));
}
