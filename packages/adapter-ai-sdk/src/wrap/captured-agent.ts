import { hooksOfAgent, type HookSet } from "../hooks/hook-set.ts";
import { Follower, isFollowed } from "../hooks/follower.ts";
import type { AgentRun } from "../runs/agent-run.ts";
import type { CallSettings } from "../runs/call-settings.ts";
import type { CaptureContext } from "../runs/capture-context.ts";
import { attempted, completed, isSettings, mayCapture, newRun, streamed } from "./captured-call.ts";
import type { AnyFunction } from "./captured-function.ts";

/** The methods of an agent that run it. */
export const AGENT_METHODS = ["generate", "stream"] as const;
export type AgentMethod = (typeof AGENT_METHODS)[number];

type PrepareCall = (args: unknown) => unknown;

/** An agent for one call: the same one, but for its settings. */
function withSettings(agent: object, settings: CallSettings): object {
  return Object.create(agent, {
    settings: { value: settings, configurable: true, enumerable: true, writable: true },
  });
}

/**
 * AI SDK 6 and 7: the settings of a call are known when `prepareCall` has had its say, which may replace
 * any of them; so that is where the rest of the hooks goes in.
 */
function preparing(
  capture: CaptureContext,
  run: AgentRun,
  follower: Follower,
  own: CallSettings,
): CallSettings {
  const prepare = own["prepareCall"] as PrepareCall | undefined;
  const prepareCall = async (args: unknown): Promise<unknown> => {
    const chosen: unknown =
      typeof prepare === "function" ? await Reflect.apply(prepare, own, [args]) : undefined;
    const settings = chosen ?? args;
    const ready = attempted(capture, () => {
      if (!isSettings(settings) || !mayCapture(capture, settings)) return undefined;
      run.open(settings);
      return follower.preparedCall(settings);
    });
    return ready ?? chosen;
  };
  return follower.agent(own, prepareCall);
}

interface PreparedCall {
  readonly run: AgentRun;
  readonly agent: object;
  readonly args: unknown[];
}

function preparedCall(
  capture: CaptureContext,
  hooks: HookSet,
  agent: object,
  method: AgentMethod,
  args: unknown[],
): PreparedCall | undefined {
  const { settings: own } = agent as { settings?: unknown };
  if (!isSettings(own) || isFollowed(own)) return undefined;
  const [options, ...rest] = args;
  const streams = method === "stream";
  const run = newRun(capture, `agent.${method}`, options);
  if (run === undefined) return undefined;
  const follower = new Follower(run, hooks, streams);
  if (!hooks.v5) return { run, agent: withSettings(agent, preparing(capture, run, follower, own)), args };
  // The agent of AI SDK 5 has no such hook: it puts the options of the call over its settings.
  const settings = { ...own, ...(options as object | undefined) };
  if (!mayCapture(capture, settings)) return undefined;
  const injected = follower.call(settings);
  run.open(settings);
  return { run, agent: withSettings(agent, injected), args: [injected, ...rest] };
}

/** Calls a method of an agent, captured. */
export function callAgent(
  capture: CaptureContext,
  hooks: HookSet,
  agent: object,
  method: AgentMethod,
  original: AnyFunction,
  args: unknown[],
): unknown {
  const prepared = attempted(capture, () => preparedCall(capture, hooks, agent, method, args));
  if (prepared === undefined) return Reflect.apply(original, agent, args);
  const call = () => Reflect.apply(original, prepared.agent, prepared.args);
  return method === "stream" ? streamed(prepared.run, call) : completed(prepared.run, call);
}

type AgentClass = abstract new (...args: any[]) => object;

/**
 * A subclass of an agent class whose instances are captured. Instances of either are instances of the
 * other, and classes derived from it work as from the original.
 */
export function capturedClass(capture: CaptureContext, hooks: HookSet, Base: AgentClass): AgentClass {
  abstract class Captured extends Base {
    static override [Symbol.hasInstance](value: unknown): boolean {
      // eslint-disable-next-line @typescript-eslint/no-this-alias -- of a derived class the usual answer holds
      if (this === Captured) return value instanceof Base;
      return Function.prototype[Symbol.hasInstance].call(this, value);
    }
  }
  const isTold = !(hooks.v5 && hooks.v6);
  for (const method of AGENT_METHODS) {
    const original: unknown = Reflect.get(Base.prototype as object, method);
    if (typeof original !== "function") continue;
    const value = function (this: object, ...args: unknown[]): unknown {
      const own = isTold ? hooks : hooksOfAgent(this);
      return callAgent(capture, own, this, method, original as AnyFunction, args);
    };
    Object.defineProperty(value, "name", { value: method });
    Object.defineProperty(Captured.prototype, method, { value, configurable: true, writable: true });
  }
  Object.defineProperty(Captured, "name", { value: Base.name });
  return Captured;
}

/** Members as `this.#name`, or what compilers make of them. */
const PRIVATE = /\.#[\w$]|_?_?class_?private/i;

/** True where a class of the host's that the agent is of has private members, as far as its text tells. */
function hasPrivateMembers(agent: object): boolean {
  let prototype: unknown = Object.getPrototypeOf(agent);
  while (typeof prototype === "object" && prototype !== null && prototype !== Object.prototype) {
    const { constructor } = prototype;
    if (PRIVATE.test(Function.prototype.toString.call(constructor))) return true;
    prototype = Object.getPrototypeOf(prototype);
  }
  return false;
}

/**
 * One agent with every call captured; still an instance of its class.
 *
 * Nothing can stand in for an object with private members: such an agent is given back as it is, and that is told.
 */
export function capturedAgent<T extends object>(capture: CaptureContext, hooks: HookSet, agent: T): T {
  if (hasPrivateMembers(agent)) {
    capture.onError(
      "an agent cannot be captured: its class has private members; derive the class from a captured one",
    );
    return agent;
  }
  const methods = new Map<string | symbol, AnyFunction>();
  for (const method of AGENT_METHODS) {
    const original: unknown = Reflect.get(agent, method);
    if (typeof original !== "function") continue;
    methods.set(method, (...args) => callAgent(capture, hooks, agent, method, original as AnyFunction, args));
  }
  return new Proxy(agent, {
    get: (target, name, receiver) => methods.get(name) ?? (Reflect.get(target, name, receiver) as unknown),
  });
}
