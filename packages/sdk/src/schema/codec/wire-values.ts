import { z } from "zod";
import { showValue } from "../../errors/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { QUALITY_FLAGS, type QualityFlag } from "../quality-flag.ts";
import { MAX_LOG_SCORE, type ByCandidate } from "../trajectory.ts";
import type { WireType } from "./wire-type.ts";

/** How far a stored belief's sum may be from 1. */
const BELIEF_TOLERANCE = 1e-6;

export const text: WireType<string> = { schema: z.string("must be a string") };

/** An id. Whole numbers are taken as their digits, as the Python toolkit does. */
export const identifier: WireType<string> = {
  schema: z.custom(
    (value) => (typeof value === "string" ? value !== "" : Number.isSafeInteger(value)),
    "must be a non-empty string",
  ),
  decode: (wire: string | number) => String(wire),
};

export const finite: WireType<number> = { schema: z.number("must be a finite number") };

export const count: WireType<number> = {
  schema: z.int("must be a whole number").min(0, "must not be negative"),
};

export const truth: WireType<boolean> = { schema: z.boolean("must be true or false") };

export const sha256: WireType<string> = {
  schema: z.string("must be a string").regex(/^[0-9a-f]{64}$/, "must be 64 lower-case hex digits"),
};

export const jsonObject: WireType<JsonObject> = { schema: z.custom(isJsonObject, "must be an object") };

/** Any JSON but null. */
export const jsonValue: WireType<JsonValue> = {
  schema: z.custom((value) => value !== undefined && value !== null, "must be there"),
};

/** Exactly this word. */
export function word<const W extends string>(value: W): WireType<W> {
  return { schema: z.literal(value, `must be ${JSON.stringify(value)}`) };
}

/** One of a closed list of words. */
export function oneOf<const W extends string>(words: readonly W[]): WireType<W> {
  return { schema: z.enum(words, `must be one of ${words.join(", ")}`) };
}

export const qualityFlags: WireType<QualityFlag[]> = {
  schema: z.array(z.enum(QUALITY_FLAGS, "must be a known quality flag"), "must be an array of quality flags"),
};

export const texts: WireType<string[]> = {
  schema: z.array(z.string("must be a string"), "must be an array"),
};

/** A log score in nats, or a bound of one. */
export const logScore: WireType<number> = {
  schema: z.custom(isLogScore, `must be a log score within ±${MAX_LOG_SCORE} nats`),
};

/** Finite numbers by name. Kept as the parsed object. */
export const numbersByName: WireType<ByCandidate> = { schema: numberMap(() => undefined) };

/** Log scores in nats by name, none larger than {@link MAX_LOG_SCORE}. Kept as the parsed object. */
export const logScores: WireType<ByCandidate> = {
  schema: numberMap(() => undefined, {
    accepts: isLogScore,
    message: `must be a log score within ±${MAX_LOG_SCORE} nats`,
  }),
};

/** A belief: probabilities by candidate id that sum to 1 ± 1e-6. */
export const belief: WireType<ByCandidate> = {
  schema: numberMap((map) => {
    let sum = 0;
    for (const id in map) {
      if (map[id]! < 0) return `must hold no negative probability, got ${map[id]} for ${showValue(id)}`;
      sum += map[id]!;
    }
    if (Math.abs(sum - 1) <= BELIEF_TOLERANCE) return undefined;
    return `must sum to 1 within ${BELIEF_TOLERANCE}, sums to ${sum}`;
  }),
};

function isLogScore(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) <= MAX_LOG_SCORE;
}

/** What each number of a map must be. */
interface EntryRule {
  accepts: (value: unknown) => boolean;
  message: string;
}

/** `problem` sees a map of numbers that follow the rule and says what is wrong with it as a whole. */
function numberMap(
  problem: (map: ByCandidate) => string | undefined,
  { accepts, message }: EntryRule = { accepts: Number.isFinite, message: "must be a finite number" },
): z.ZodType {
  return z.unknown().check((context) => {
    const { value: input, issues } = context;
    const fail = (path: string[], text: string, shown: boolean): void => {
      issues.push({ code: "custom", input, path, message: text, params: { shown } });
    };
    if (!isJsonObject(input)) return fail([], "must be an object of numbers", false);
    for (const key in input) {
      if (!accepts(input[key])) return fail([key], message, false);
    }
    const whole = problem(input as ByCandidate);
    if (whole !== undefined) fail([], whole, true);
  });
}
