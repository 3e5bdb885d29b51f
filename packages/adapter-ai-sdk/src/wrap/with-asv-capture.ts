import { hooksOfAgent, hooksOfNamespace, type HookSet } from "../hooks/hook-set.ts";
import type { CaptureContext } from "../runs/capture-context.ts";
import { rememberCapture } from "./asv-flush.ts";
import { captureContext } from "./capture-context.ts";
import type { ASVCaptureOptions } from "./capture-options.ts";
import { AGENT_METHODS, capturedAgent, capturedClass } from "./captured-agent.ts";
import { capturedFunction, type AnyFunction } from "./captured-function.ts";
import { capturedObject } from "./captured-object.ts";

type Anything = (...args: never[]) => unknown;
type AnyClass = abstract new (...args: never[]) => unknown;

/** The imported `ai` of any supported major or a part of it, or an agent. */
export type Capturable =
  | { readonly generateText: Anything }
  | { readonly streamText: Anything }
  | { readonly generateObject: Anything }
  | { readonly streamObject: Anything }
  | { readonly ToolLoopAgent: AnyClass }
  | { readonly Experimental_Agent: AnyClass }
  | { readonly generate: Anything; readonly stream: Anything };

type Members = Record<string, unknown>;
type Wrap = (capture: CaptureContext, hooks: HookSet, name: string, member: never) => unknown;

const text =
  (streams: boolean): Wrap =>
  (capture, hooks, name, member) =>
    capturedFunction(capture, hooks, name, member as AnyFunction, streams);

const object =
  (streams: boolean): Wrap =>
  (capture, _, name, member) =>
    capturedObject(capture, name, member as AnyFunction, streams);

const agent: Wrap = (capture, hooks, _, member) => capturedClass(capture, hooks, member);

/** What of `ai` runs a model in steps, and how it is captured. */
const WRAPS: Readonly<Record<string, Wrap>> = {
  generateText: text(false),
  streamText: text(true),
  experimental_streamTextLowMemory: text(true),
  generateObject: object(false),
  streamObject: object(true),
  ToolLoopAgent: agent,
  Experimental_Agent: agent,
};

function isAgent(target: object): boolean {
  return (
    AGENT_METHODS.every((method) => typeof Reflect.get(target, method) === "function") &&
    !("generateText" in target)
  );
}

function capturedNamespace(capture: CaptureContext, ai: Members): Members {
  const hooks = hooksOfNamespace(ai);
  const captured: Members = Object.assign(Object.create(Object.getPrototypeOf(ai) as object | null), ai);
  const classes = new Map<unknown, unknown>();
  for (const [name, wrap] of Object.entries(WRAPS)) {
    const member = ai[name];
    if (typeof member !== "function") continue;
    // One class under two names stays one class.
    if (!classes.has(member)) classes.set(member, wrap(capture, hooks, name, member as never));
    captured[name] = classes.get(member);
  }
  return captured;
}

/**
 * The same `ai`, or the same agent, with every call captured: each as a trajectory of before-state, action,
 * after-state, a step for each step of the SDK.
 *
 * Takes the imported namespace of AI SDK 5, 6 or 7 (`import * as ai from "ai"`), a part of it, or one
 * agent. The hooks of a call go into its own settings, beside those of the host; streams are read as far
 * and as fast as the host reads them. Nothing is patched: what was imported elsewhere is not captured.
 *
 * With no options, spans go to the globally registered tracer provider and records to the JSONL file
 * that `file` or the environment variable `ASV_FILE` names.
 *
 * @example
 * const { generateText, ToolLoopAgent } = withASVCapture(ai, { file: "runs.asv.jsonl" });
 *
 * @throws TypeError for a target that has nothing to capture
 * @throws InvalidArgumentError for options that cannot be used
 */
export function withASVCapture<T extends Capturable>(target: T, options: ASVCaptureOptions = {}): T {
  const known = typeof target === "object" && target !== null ? (target as unknown as Members) : {};
  const wraps = Object.keys(WRAPS).some((name) => typeof known[name] === "function");
  const isOne = !wraps && isAgent(known) && typeof known["settings"] === "object";
  if (!wraps && !isOne) {
    throw new TypeError(
      "withASVCapture() takes the imported `ai` namespace, some of its functions or an agent of its classes.",
    );
  }
  const capture = captureContext(options);
  const captured = isOne
    ? capturedAgent(capture, hooksOfAgent(known), known)
    : capturedNamespace(capture, known);
  rememberCapture(captured, capture);
  return captured as unknown as T;
}
