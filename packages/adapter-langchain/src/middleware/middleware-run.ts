import {
  SAME_AS_BEFORE,
  type Snapshot,
  type StepCapture,
  type TrajectoryCapture,
} from "@agent-step-value/sdk/capture";
import { toolCallsOf, type ToolCall } from "../projection/message-blocks.ts";
import { isMessage } from "../projection/message-like.ts";
import { plainText } from "../projection/plain-text.ts";
import type { CaptureContext } from "../runs/capture-context.ts";
import { foldUpdate } from "../runs/fold-update.ts";
import { reportedTokens } from "../runs/graph-task.ts";
import { openTrajectory } from "../runs/open-trajectory.ts";

/** A step that has run and waits for the state that shows what came of it. */
interface Waiting {
  readonly step: StepCapture;
  readonly state: unknown;
  readonly outputs: unknown[];
  readonly calls: ToolCall[];
  /** Calls that have not come back. */
  open: number;
  failed: unknown;
  endTime: number;
  cost: Record<string, number>;
}

/** One run of an agent as its middleware sees it: model calls and tool calls, and the state before each. */
export class MiddlewareRun {
  readonly #context: CaptureContext;
  readonly #trajectory: TrajectoryCapture;
  #waiting: Waiting | undefined;
  touchedAt = Date.now();

  constructor(context: CaptureContext, state: unknown, actor: string | undefined) {
    const actorConfig = actor === undefined ? undefined : { system_prompt: actor };
    this.#context = context;
    this.#trajectory = openTrajectory({ ...context, actor: actorConfig }, start(state), undefined).trajectory;
  }

  /** Begins the step of a model call. */
  modelStarted(state: unknown): Waiting {
    const before = this.#arrive(state);
    const step = this.#trajectory.step({
      action: { type: "model", node: "model_request" },
      kind: "llm",
      before,
    });
    return { step, state, outputs: [], calls: [], open: 1, failed: undefined, endTime: Date.now(), cost: {} };
  }

  /**
   * @returns true when the run ends with this answer, as far as a middleware can see: it asks no tool
   */
  modelEnded(waiting: Waiting, output: unknown): boolean {
    this.touchedAt = waiting.endTime = Date.now();
    waiting.outputs.push({ messages: [output] });
    const tokens = reportedTokens({ generations: [{ message: output }] });
    if (tokens !== undefined)
      waiting.cost = { prompt_tokens: tokens.prompt, completion_tokens: tokens.completion };
    this.#waiting = waiting;
    if (!isMessage(output) || toolCallsOf(output).length > 0) return false;
    this.#settleByUpdate();
    this.#trajectory.close({ status: "complete" });
    return true;
  }

  modelFailed(waiting: Waiting, error: unknown): void {
    waiting.step.end({ after: SAME_AS_BEFORE, status: "error", fidelity: "aborted", error });
    this.#trajectory.close({ status: "error" });
  }

  /** Begins the step of a tool call, or joins the one that calls in parallel on the same state. */
  toolStarted(state: unknown, call: ToolCall): Waiting {
    this.touchedAt = Date.now();
    const group = this.#waiting;
    if (
      group !== undefined &&
      group.calls.length > 0 &&
      (group.open > 0 || isSameState(group.state, state))
    ) {
      group.calls.push(call);
      group.open += 1;
      return group;
    }
    const before = this.#arrive(state);
    const step = this.#trajectory.step({
      action: { type: `tool:${call.name}`, node: "tools" },
      kind: "tool",
      before,
    });
    const waiting = {
      step,
      state,
      outputs: [],
      calls: [call],
      open: 1,
      failed: undefined,
      endTime: Date.now(),
      cost: {},
    };
    this.#waiting = waiting;
    return waiting;
  }

  toolEnded(waiting: Waiting, call: ToolCall, output: unknown): void {
    this.touchedAt = waiting.endTime = Date.now();
    waiting.open -= 1;
    // In the order of the calls, which is the order in which the state will list the results.
    waiting.outputs[waiting.calls.indexOf(call)] = isMessage(output) ? { messages: [output] } : output;
  }

  toolFailed(waiting: Waiting, error: unknown): void {
    this.touchedAt = waiting.endTime = Date.now();
    waiting.open -= 1;
    waiting.failed = error;
  }

  /** The run ends with what its tools returned. */
  returnedDirectly(waiting: Waiting): boolean {
    if (waiting.open > 0 || waiting !== this.#waiting) return false;
    this.#settleByUpdate();
    this.#trajectory.close({ status: "complete" });
    return true;
  }

  abandon(): void {
    this.#settleByUpdate();
    this.#trajectory.close({ status: "abandoned" });
  }

  /** A state the run shows: it settles the step that waited for it. */
  #arrive(state: unknown): Snapshot | undefined {
    const shown = this.#context.snapshot(this.#trajectory, state);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) this.#end(waiting, shown, "next-input");
    return shown;
  }

  #settleByUpdate(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) return;
    const folded = foldUpdate(
      waiting.state,
      waiting.outputs.filter((output) => output !== undefined),
    );
    this.#end(waiting, this.#context.snapshot(this.#trajectory, folded), "update-only");
  }

  #end(waiting: Waiting, after: Snapshot | undefined, fidelity: string): void {
    const { calls, failed, endTime } = waiting;
    const types = [...new Set(calls.map((call) => call.name))].sort();
    const listed = calls.map((call) => ({
      tool: call.name,
      args: JSON.parse(plainText(call.args) || "null") as unknown,
    }));
    waiting.step.end({
      after,
      fidelity,
      endTime,
      cost: { ...waiting.cost, ...(calls.length > 0 && { tool_calls: calls.length }) },
      ...(calls.length > 0 && { action: { type: `tool:${types.join("+")}`, calls: listed } }),
      ...(failed !== undefined && { status: "error" as const, error: failed }),
    });
  }
}

/** Each parallel call gets a copy of the state, whose conversation is the same list. */
function isSameState(one: unknown, other: unknown): boolean {
  const { messages } = Object(one) as { messages?: unknown };
  return messages !== undefined && messages === (Object(other) as { messages?: unknown }).messages;
}

function start(state: unknown): Parameters<typeof openTrajectory>[1] {
  const metadata = {};
  return {
    kind: "chain",
    id: "",
    parentId: undefined,
    name: "agent",
    inputs: state,
    tags: [],
    metadata,
    isGraph: true,
  };
}

export type { Waiting };
