import {
  isJsonObject,
  type BlockState,
  type JsonObject,
  type JsonValue,
  type RedactionSummary,
} from "../schema/index.ts";
import { newPass } from "./new-pass.ts";
import { projectLive } from "./project-value.ts";
import type { ProjectionPass } from "./projection-pass.ts";
import {
  PROJECTION_VERSION,
  resolvePolicy,
  type ProjectionPolicy,
  type ResolvedPolicy,
} from "./projection-policy.ts";
import { createRedactionSession, type RedactionSession } from "./redaction-session.ts";
import { redactString } from "./redact-string.ts";
import { blocksSize, boundBlocks } from "./size-bound.ts";
import { blockText, isBlockState, stateBlocks } from "./state-blocks.ts";
import { failureMarker, type FailureReason } from "./tally.ts";

/** What a projection did: how often each rule fired, and what the size bound took. */
export interface RedactionReport extends RedactionSummary {
  /** As on the state; absent when nothing was cut by this projection. */
  truncated?: { chars: number; blocks: number };
}

/** A state an evaluator may see, and what was done to make it so. */
export interface ProjectedState {
  state: BlockState | JsonObject;
  report: RedactionReport;
}

/** A cut can uncover something; a state that is still not stable after this many rounds loses the block. */
const MOST_ROUNDS = 4;

const resolved = new WeakMap<ProjectionPolicy, ResolvedPolicy>();
const defaults = resolvePolicy();

function isResolved(policy: ProjectionPolicy | ResolvedPolicy): policy is ResolvedPolicy {
  return "engine" in policy;
}

function resolvedPolicy(policy: ProjectionPolicy | ResolvedPolicy | undefined): ResolvedPolicy {
  if (policy === undefined) return defaults;
  if (isResolved(policy)) return policy;
  let known = resolved.get(policy);
  if (known === undefined) {
    known = resolvePolicy(policy);
    resolved.set(policy, known);
  }
  return known;
}

function markerState(reason: FailureReason): BlockState {
  return { blocks: [{ kind: "other", text: failureMarker(reason) }] };
}

function isState(value: unknown): boolean {
  if (typeof value === "string") return true;
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "then") !== "function";
}

/** The user's own choice of what may be seen; undefined when it failed. */
function picked(value: unknown, policy: ResolvedPolicy): unknown {
  if (policy.project === undefined) return value;
  try {
    const result = policy.project(value);
    return isState(result) ? result : undefined;
  } catch {
    return undefined;
  }
}

/** Any JSON as a state: an object is one already; a list is one block an element, anything else one block. */
function asState(value: JsonValue | undefined, pass: ProjectionPass): BlockState | JsonObject {
  if (value === undefined || value === null) return { blocks: [] };
  if (isJsonObject(value)) return value;
  if (!Array.isArray(value)) return { blocks: [{ kind: "other", text: blockText(value) }] };
  const blocks = { blocks: value };
  if (isBlockState(blocks)) return blocks;
  return {
    blocks: value.map((item) => {
      const isMessage = isJsonObject(item) && typeof item["role"] === "string";
      // As part of a text, the texts in it stand one level deeper.
      const text = typeof item === "string" ? item : redactString(blockText(item), pass, 0);
      return { kind: isMessage ? "message" : "other", text };
    }),
  };
}

/** JSON length of a value, which is also the length of its canonical form. */
function jsonLength(value: JsonValue): number {
  return typeof value === "string" ? value.length : JSON.stringify(value).length;
}

function stateSize(state: BlockState | JsonObject): number {
  const generic = state as JsonObject;
  if (isBlockState(generic)) return blocksSize(generic.blocks);
  let size = 0;
  for (const [name, value] of Object.entries(generic)) size += name.length + jsonLength(value);
  return size;
}

/**
 * Cuts a state to size and looks at what is left once more: a cut can start a text in the middle of
 * a word, and a value can read differently as part of a block's text.
 */
function bounded(state: BlockState | JsonObject, pass: ProjectionPass): BlockState | JsonObject {
  const { maxChars } = pass.policy;
  const generic = state as JsonObject;
  if (stateSize(state) <= maxChars && !isBlockState(generic)) return state;
  let current: BlockState = isBlockState(generic) ? generic : { blocks: stateBlocks(generic) };
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const cut = boundBlocks(current, maxChars);
    const changed = cut.truncated !== undefined && cut.truncated.chars !== (current.truncated?.chars ?? 0);
    if (!changed) return cut;
    const blocks = cut.blocks.map((block) => ({ ...block, text: redactString(block.text, pass, 0) }));
    current = { ...cut, blocks };
  }
  return boundBlocks(current, maxChars);
}

function report(pass: ProjectionPass, state: BlockState | JsonObject): RedactionReport {
  const hits = Object.fromEntries([...pass.tally.hits].sort(([a], [b]) => (a < b ? -1 : 1)));
  const summary = { policy: pass.policy.name, version: PROJECTION_VERSION, hits };
  const generic = state as JsonObject;
  const truncated = isBlockState(generic) ? generic.truncated : undefined;
  return truncated === undefined ? summary : { ...summary, truncated };
}

function failed(reason: FailureReason, policy: string): ProjectedState {
  const hits = { [`removed-${reason}`]: 1 };
  return { state: markerState(reason), report: { policy, version: PROJECTION_VERSION, hits } };
}

/**
 * Φ: a host's live state as an evaluator may see it (paper section 3.1).
 *
 * Runs synchronously on the object itself, before anything is encoded or leaves the process, in this
 * order: the user's `project`, key rules at any depth, text rules on keys and values, texts that are
 * themselves JSON or what Python prints for a value (to three levels), the size bound. Such a text is
 * read only as a whole: of `Result: {...}` neither JSON nor Python is. One in which nothing is found keeps
 * its bytes; else JSON is written anew, and of Python's text what was found is cut out or replaced as
 * `repr()` writes it, everything else stays. Fails closed: what cannot be read, does not end,
 * or costs more than the budget goes, a marker `[REMOVED:reason]` stays, and the report counts it.
 * Never throws, never changes the host's objects, reads every property at most once. Projecting a
 * projected state changes nothing.
 *
 * @param session shared by the states of one trajectory, so that a secret keeps its placeholder
 */
export function projectState(
  value: unknown,
  policy?: ProjectionPolicy | ResolvedPolicy,
  session: RedactionSession = createRedactionSession(),
): ProjectedState {
  let ready: ResolvedPolicy;
  try {
    ready = resolvedPolicy(policy);
  } catch {
    return failed("policy", "invalid");
  }
  try {
    const shown = picked(value, ready);
    if (ready.project !== undefined && shown === undefined) return failed("project", ready.name);
    const pass = newPass(ready, session);
    const state = bounded(asState(projectLive(shown, pass), pass), pass);
    return { state, report: report(pass, state) };
  } catch {
    return failed("unreadable", ready.name);
  }
}
