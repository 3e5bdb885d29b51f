import {
  InvalidArgumentError,
  isJsonObject,
  type JsonValue,
  type Step,
  type Trajectory,
} from "@agent-step-value/sdk";
import type { AsvSpan, AsvStateLog, AsvTelemetry } from "./asv-span.ts";
import { STATE_EVENT, STATE_LOG, STEP_SPAN, TRAJECTORY, TRAJECTORY_SPAN } from "./attributes.ts";
import { LeftOut } from "./left-out.ts";
import { OutgoingFilter, type OutgoingState } from "./outgoing-filter.ts";
import { stepPlace, trajectoryPlace, type SpanPlace } from "./span-ids.ts";
import { LAST_TIME, SpanTimes, spanTime } from "./span-times.ts";
import { stepAttributes, type StepStates } from "./step-attributes.ts";
import { trajectoryAttributes } from "./trajectory-attributes.ts";

/** Longest state text on a span, in UTF-16 units; the live span sink has the same. */
const INLINE_LIMIT = 16_384;

export interface TrajectoryTelemetryOptions {
  /** Longest state text that rides on its span, in UTF-16 units; longer ones go as log records. Default 16,384. */
  inlineLimit?: number;
  /** `carried` (default): state texts travel; `digest`: only their digest and length do. */
  states?: "carried" | "digest";
  /** Begin of a trajectory without `created_at`, in ms since 1970. Default 0, which says that it is not known. */
  startTime?: number;
  /** Counts what does not travel. */
  leftOut?: LeftOut;
}

/**
 * A stored trajectory as `asv.*` spans and, for states too long for a span, log records: one a distinct
 * state. Reading them back gives the trajectory again but for what must not travel: the target, the
 * candidates, outcome, labels, stored beliefs and scores, and whatever in its JSON a projection
 * would call an answer, an outcome, a label or a secret. All of that is counted in `leftOut`.
 *
 * Ids and times follow from the trajectory alone, so a second export gives equal spans.
 *
 * @throws {InvalidArgumentError} for an option that cannot be used
 */
export function* trajectoryTelemetry(
  trajectory: Trajectory,
  options: TrajectoryTelemetryOptions = {},
): Generator<AsvTelemetry, void, undefined> {
  const { inlineLimit = INLINE_LIMIT, states = "carried", startTime = 0, leftOut = new LeftOut() } = options;
  if (!(inlineLimit >= 0)) throw new InvalidArgumentError("inlineLimit", "a number, 0 or more", inlineLimit);
  if (!(startTime >= 0 && startTime <= LAST_TIME))
    throw new InvalidArgumentError("startTime", "milliseconds since 1970, before 2255", startTime);
  const { trajectoryId, steps } = trajectory;
  const filter = new OutgoingFilter(leftOut);
  const times = new SpanTimes(trajectory, startTime);
  const root = trajectoryPlace(trajectoryId);
  const rises = steps.every((step, i) => i === 0 || step.index > steps[i - 1]!.index);
  const logged = new Set<string>();

  const attributes = trajectoryAttributes(trajectory, filter, leftOut);
  for (const [position, step] of steps.entries()) {
    const place = stepPlace(trajectoryId, step.stepId);
    const { start, end } = times.next(step);
    const going = statesOf(step, filter, states === "digest" ? undefined : inlineLimit);
    if (going.carrier === "log") {
      for (const state of [going.before, going.after]) {
        if (state === undefined || logged.has(state.sha256)) continue;
        logged.add(state.sha256);
        yield stateLog(trajectoryId, state, place, start);
      }
    }
    const parts = { trajectoryId, position: rises ? undefined : position, states: going, filter, leftOut };
    yield {
      ...spanOf(STEP_SPAN, place, start, end),
      ...(step.extra?.["status"] === "error" && { error: errorOf(step.extra["error"], filter) }),
      parent: root,
      attributes: stepAttributes(step, parts),
    };
  }
  const parentId = attributes[TRAJECTORY.parentId];
  yield {
    ...spanOf(TRAJECTORY_SPAN, root, times.begin, times.end),
    ...(trajectory.status === "error" && { error: {} }),
    attributes,
    links: typeof parentId === "string" ? [trajectoryPlace(parentId)] : [],
  };
}

function statesOf(step: Step, filter: OutgoingFilter, inlineLimit: number | undefined): StepStates {
  const before = step.stateBefore && filter.state(step.stateBefore);
  const after = step.stateAfter && filter.state(step.stateAfter);
  if (inlineLimit === undefined) return { before, after, carrier: "none" };
  const fits = (state: OutgoingState | undefined): boolean => (state?.text.length ?? 0) <= inlineLimit;
  return { before, after, carrier: fits(before) && fits(after) ? "inline" : "log" };
}

function stateLog(trajectoryId: string, state: OutgoingState, place: SpanPlace, start: number): AsvStateLog {
  return {
    kind: "log",
    place,
    eventName: STATE_EVENT,
    time: spanTime(start),
    body: state.text,
    attributes: {
      [TRAJECTORY.id]: trajectoryId,
      [STATE_LOG.sha256]: state.sha256,
      [STATE_LOG.length]: state.text.length,
    },
  };
}

function spanOf(name: string, place: SpanPlace, start: number, end: number): Omit<AsvSpan, "attributes"> {
  return { kind: "span", place, name, start: spanTime(start), end: spanTime(end), links: [] };
}

/** Name and message of a recorded error, as a live span has them. */
function errorOf(error: JsonValue | undefined, filter: OutgoingFilter): { message?: string } {
  if (error === undefined || !isJsonObject(error)) return {};
  const { name, message } = error;
  if (typeof name !== "string" || typeof message !== "string") return {};
  return { message: filter.text(`${name}: ${message}`) };
}
