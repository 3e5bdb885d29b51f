import type { CloseRecord, JsonObject, OpenRecord, StepRecord } from "../schema/index.ts";
import { LiveAccounts, type AccountRules } from "./live-accounts.ts";
import type { Placed } from "./placed.ts";

/**
 * A span processor that has not seen the trajectory's own span makes an open record up, and says `synthetic`. Of the
 * others, each has the time and the span with which its own part began.
 */
export const OPEN_RULES: AccountRules<OpenRecord> = {
  isMadeUp: ({ extra }) => extra?.["synthetic"] === true,
  ofWriter: ["created_at", "span_id"],
  // The run began with its first part.
  rank: ({ createdAt }) => createdAt ?? "~",
};

/** How many steps a writer saw, and what became of them. */
const COUNTS = ["step_count", "open_steps", "missing_steps", "redaction_count"];

/** `partial` and why is how a writer closes a run whose end it has not seen. */
export const CLOSE_RULES: AccountRules<CloseRecord> = {
  isMadeUp: ({ status }) => /^partial(?::|$)/.test(status),
  ofWriter: COUNTS,
  rank: ({ status }) => status,
};

/** What the records of one trajectory come to, by however many writers they are. */
export interface Joined {
  readonly open: OpenRecord;
  readonly steps: readonly Placed<StepRecord>[];
  readonly close: CloseRecord | undefined;
}

/** True where more than one writer recorded the trajectory. */
export function isShared(opens: LiveAccounts<OpenRecord>, closes: LiveAccounts<CloseRecord>): boolean {
  return opens.all.length > 1 || closes.all.length > 1;
}

/**
 * The parts that several writers recorded of one trajectory as one. What each could only say of its own part is said
 * of the whole: the counts of its close record, and a break in the chain of states before its first step where the
 * step before that stands in another's file.
 *
 * @param steps in order of their index
 */
export function joinWriters(
  open: OpenRecord,
  steps: readonly Placed<StepRecord>[],
  closes: LiveAccounts<CloseRecord>,
): Joined {
  const close = closes.chosen()?.record;
  return {
    open,
    steps: steps.map((step, at) => withoutFalseBreak(step, steps[at - 1])),
    close: close && { ...close, extra: { ...withoutCounts(close.extra), ...countsOf(steps.length, closes) } },
  };
}

function withoutCounts(extra: JsonObject = {}): JsonObject {
  return Object.fromEntries(Object.entries(extra).filter(([name]) => !COUNTS.includes(name)));
}

/** The counts of a close record for all writers together. `missing_steps` is the least that can be said. */
function countsOf(steps: number, closes: LiveAccounts<CloseRecord>): JsonObject {
  const count = ({ extra }: CloseRecord, name: string): number => {
    const value = extra?.[name];
    return Number.isSafeInteger(value) ? (value as number) : 0;
  };
  const all = closes.all.map(({ record }) => record);
  const known = all.filter((record) => !CLOSE_RULES.isMadeUp(record));
  const open = all.reduce((sum, record) => sum + count(record, "open_steps"), 0);
  const ended = known.map((record) => count(record, "step_count") + count(record, "missing_steps"));
  const missing = Math.max(0, ...ended) - steps;
  // Of two that differ nobody knows whether one holds the other.
  const removed = new Set(known.map(({ extra }) => extra?.["redaction_count"]));
  const [redactions] = removed;
  return {
    step_count: steps,
    ...(open > 0 && { open_steps: open }),
    ...(missing > 0 && { missing_steps: missing }),
    ...(removed.size === 1 && redactions !== undefined && { redaction_count: redactions }),
  };
}

/** A step that says `discontinuity` though its before-state is the after-state of the step before. */
function withoutFalseBreak(
  step: Placed<StepRecord>,
  previous: Placed<StepRecord> | undefined,
): Placed<StepRecord> {
  const { record } = step;
  const follows = previous !== undefined && previous.record.step.index === record.step.index - 1;
  const same = record.beforeSha256 !== undefined && record.beforeSha256 === previous?.record.afterSha256;
  if (record.step.discontinuity !== true || !follows || !same) return step;
  const { discontinuity: _, ...whole } = record.step;
  return { ...step, record: { ...record, step: whole } };
}
