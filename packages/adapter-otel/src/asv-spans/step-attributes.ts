import { stepType, type JsonObject, type JsonValue, type Step } from "@agent-step-value/sdk";
import type { AsvAttributes } from "./asv-span.ts";
import { STATE, STEP, TRAJECTORY } from "./attributes.ts";
import type { LeftOut } from "./left-out.ts";
import type { OutgoingFilter, OutgoingState } from "./outgoing-filter.ts";

/** States of a step as they go out, and where their text goes. */
export interface StepStates {
  readonly before: OutgoingState | undefined;
  readonly after: OutgoingState | undefined;
  readonly carrier: "inline" | "log" | "none";
}

/** What a step's attributes are made of. */
export interface StepParts {
  readonly trajectoryId: string;
  /** Place among the steps where the stored indexes do not rise, else undefined. */
  readonly position: number | undefined;
  readonly states: StepStates;
  readonly filter: OutgoingFilter;
  readonly leftOut: LeftOut;
}

/** Attributes of a stored step's span: all of the step but what must not travel. */
export function stepAttributes(step: Step, parts: StepParts): AsvAttributes {
  const { states, position, filter, leftOut } = parts;
  countLeftOut(step, leftOut);
  return {
    [TRAJECTORY.id]: parts.trajectoryId,
    [STEP.id]: step.stepId,
    [STEP.index]: position ?? step.index,
    [STEP.action]: filter.text(stepType(step)),
    ...recordedAttributes(step.extra),
    ...stateAttributes(states),
    [STEP.detail]: JSON.stringify(stepDetail(step, position !== undefined, filter)),
  };
}

function countLeftOut(step: Step, leftOut: LeftOut): void {
  const { label, labelSource, labelConfidence } = step;
  if (label !== undefined || labelSource !== undefined || labelConfidence !== undefined) leftOut.add("label");
  if (step.beliefBefore !== undefined || step.beliefAfter !== undefined) leftOut.add("beliefs");
  if (step.rawScoresBefore !== undefined || step.rawScoresAfter !== undefined) leftOut.add("raw scores");
}

function stepDetail(step: Step, reindexed: boolean, filter: OutgoingFilter): JsonObject {
  const { action, observation, cost, qualityFlags, extra } = step;
  const held: [string, JsonObject | undefined][] = [
    ["action", action],
    ["observation", observation],
    ["cost", cost],
    ["quality_flags", qualityFlags],
    ["extra", extra],
  ];
  const detail = Object.fromEntries(
    held.filter((entry): entry is [string, JsonObject] => Object.keys(entry[1] ?? {}).length > 0),
  );
  return {
    ...filter.json(detail),
    ...(step.discontinuity !== undefined && { discontinuity: step.discontinuity }),
    ...(reindexed && { index: step.index }),
  };
}

/** What live capture keeps beside a step, under the attribute it has on a live span. */
const RECORDED: readonly [key: string, attribute: string, fits: (value: JsonValue) => boolean][] = [
  ["kind", STEP.kind, isText],
  ["status", STEP.status, isText],
  ["commit_index", STEP.commitIndex, Number.isSafeInteger],
  ["attempts", STEP.attempts, Number.isSafeInteger],
  ["concurrent", STEP.concurrent, isTruth],
  ["late", STEP.late, isTruth],
  ["fidelity", STATE.fidelity, isText],
];

function recordedAttributes(extra: JsonObject = {}): AsvAttributes {
  const attributes: AsvAttributes = {};
  for (const [key, attribute, fits] of RECORDED) {
    const value = Object.hasOwn(extra, key) ? extra[key] : undefined;
    if (value !== undefined && fits(value)) attributes[attribute] = value as string;
  }
  return attributes;
}

function stateAttributes({ before, after, carrier }: StepStates): AsvAttributes {
  const inline = carrier === "inline";
  return {
    ...(before !== undefined && {
      [STATE.beforeSha256]: before.sha256,
      [STATE.beforeLength]: before.text.length,
      ...(inline && { [STATE.before]: before.text }),
    }),
    ...(after !== undefined && {
      [STATE.afterSha256]: after.sha256,
      [STATE.afterLength]: after.text.length,
      ...(inline && { [STATE.after]: after.text }),
    }),
    [STATE.carrier]: carrier,
  };
}

/** Short words only: these are attributes that backends group by. */
function isText(value: JsonValue): boolean {
  return typeof value === "string" && value !== "" && value.length <= 256;
}

function isTruth(value: JsonValue): boolean {
  return typeof value === "boolean";
}
