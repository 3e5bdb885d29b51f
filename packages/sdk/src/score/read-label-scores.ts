import { AsvError } from "../errors/index.ts";
import { logSumExp } from "../math/index.ts";
import type { Normalisation } from "../protocol/index.ts";
import type { ByCandidate, QualityFlag, TopLogprob } from "../schema/index.ts";
import { normaliseToken, tokenIdentity } from "./label-variants.ts";
import { sortFlags } from "./sort-flags.ts";

/** A reply's first-token list and what its labels mean. */
export interface LabelReading {
  /** Position 0 only, as received. */
  topLogprobs: readonly TopLogprob[];
  labelToCandidate: Readonly<Record<string, string>>;
  floor: Normalisation["floor"];
  /** How many entries were asked for; without it the list is not known to be full. */
  topkAsked?: number;
  /** The emitted token, which may be missing from the list. */
  firstToken?: TopLogprob;
}

/** Log scores of one state under one mapping, in nats. */
export interface LabelScores {
  /** ℓ by label (paper eq. 1), floors included. */
  labelScores: Record<string, number>;
  /** ℓ by candidate id. */
  scores: ByCandidate;
  /** Candidate ids whose label was absent and got the floor. */
  floored: string[];
  /** With a full list: an absent label had at most this log-probability. Given only with a floor. */
  floorBound?: number;
  /** Σ p over all variants of all labels. */
  labelMass: number;
  flags: QualityFlag[];
}

/** At or below this a value is a server's way of saying "not in my list". */
const SENTINEL = -9000;
/** How far above 0 rounding may carry a log-probability; such a value counts as 0. */
const ROUNDING = 1e-6;
const ENOUGH_MASS = 0.5;
/** More than rounding and jitter of a server can make of a whole; such values are no probabilities. */
const IMPOSSIBLE_MASS = 1.05;

/**
 * Reads label scores from the first token's log-probabilities (paper section 3.2, eq. 1).
 *
 * Per token: the largest value of its copies, since a list may hold one twice and the emitted token
 * may stand in it or not. Per label: log-sum-exp over its distinct variants. Absent (null, NaN, not
 * finite, or ≤ −9000) is not a value. An absent label gets the floor: with rule `bounded`
 * min(floor, lowest listed value), so that it never beats a listed one; with `constant` the floor
 * as it is. A value or sum up to 1e-6 above 0 counts as 0; a larger sum of variants is left as it
 * is, shows in `labelMass`, and above 1.05 is flagged `invalid_response`.
 *
 * @throws AsvError `evaluator_failed` with `fields.flag` `no_logprobs` when no entry has a value, or
 * `invalid_response` for a log-probability above 0
 */
export function readLabelScores(reading: LabelReading): LabelScores {
  const { floor, labelToCandidate, topkAsked, firstToken } = reading;
  const listed = collect(reading);
  const { lowest } = listed;
  const floorScore = floor.rule === "bounded" ? Math.min(floor.score, lowest.any) : floor.score;

  const labels = Object.keys(labelToCandidate);
  const found = new Map<string, number[]>(labels.map((label) => [label, []]));
  for (const { label, logprob } of listed.values) found.get(label)?.push(logprob);

  const ell = labels.map((label) => {
    const variants = found.get(label)!;
    return variants.length === 0 ? undefined : atMostZero(logSumExp(variants));
  });
  const scores = ell.map((value) => value ?? floorScore);
  const floored = labels.filter((_, i) => ell[i] === undefined).map((label) => labelToCandidate[label]!);
  const labelMass = ell.reduce<number>((sum, value) => sum + (value === undefined ? 0 : Math.exp(value)), 0);
  const full = topkAsked !== undefined && reading.topLogprobs.length >= topkAsked;

  const flags: QualityFlag[] = [];
  if (floored.length > 0) flags.push("floor");
  if (listed.duplicates) flags.push("duplicate_token");
  if (topkAsked !== undefined && !full) flags.push("truncated_topk");
  if (firstToken !== undefined && !found.has(normaliseToken(firstToken))) flags.push("first_token_not_label");
  if (labelMass < ENOUGH_MASS) flags.push("low_label_mass");
  if (labelMass > IMPOSSIBLE_MASS) flags.push("invalid_response");
  if (scores.every((score) => score === scores[0])) flags.push("degenerate_distribution");
  return {
    labelScores: Object.fromEntries(labels.map((label, i) => [label, scores[i]!])),
    scores: Object.fromEntries(labels.map((label, i) => [labelToCandidate[label]!, scores[i]!])),
    floored,
    ...(full && floored.length > 0 && Number.isFinite(lowest.inList) && { floorBound: lowest.inList }),
    labelMass,
    flags: sortFlags(flags),
  };
}

/**
 * The distinct tokens with a value, whether the list itself held one twice, and the lowest values:
 * only the list bounds what is not in it, but no label may fall below the emitted token either.
 */
function collect({ topLogprobs, firstToken }: LabelReading) {
  const byToken = new Map<string, { label: string; logprob: number }>();
  const seen = new Set<string>();
  let duplicates = false;
  let lowest = Infinity;
  const add = (entry: TopLogprob, identity: string) => {
    const logprob = usable(entry.logprob);
    if (logprob === undefined) return;
    lowest = Math.min(lowest, logprob);
    const known = byToken.get(identity);
    if (known === undefined) byToken.set(identity, { label: normaliseToken(entry), logprob });
    else known.logprob = Math.max(known.logprob, logprob);
  };
  for (const entry of topLogprobs) {
    const identity = tokenIdentity(entry);
    if (seen.has(identity)) duplicates = true;
    seen.add(identity);
    add(entry, identity);
  }
  const inList = lowest;
  if (firstToken !== undefined && !listedInAnotherSpelling(firstToken, byToken))
    add(firstToken, tokenIdentity(firstToken));
  if (byToken.size === 0) {
    throw new AsvError(
      "evaluator_failed",
      "The reply carries no first-token log-probabilities. Check that the model and server return them (asv probe).",
      { flag: "no_logprobs" },
    );
  }
  return { values: [...byToken.values()], duplicates, lowest: { inList, any: lowest } };
}

/**
 * Some servers trim the emitted token and not the list, so that ` A` was emitted as `A`. Counted as a
 * variant of its own, its label would get its probability twice.
 */
function listedInAnotherSpelling(
  firstToken: TopLogprob,
  byToken: ReadonlyMap<string, { label: string; logprob: number }>,
): boolean {
  const label = normaliseToken(firstToken);
  const logprob = usable(firstToken.logprob);
  return (
    !byToken.has(tokenIdentity(firstToken)) &&
    [...byToken.values()].some((known) => known.label === label && known.logprob === logprob)
  );
}

function usable(logprob: number | null): number | undefined {
  if (typeof logprob !== "number" || !Number.isFinite(logprob) || logprob <= SENTINEL) return undefined;
  if (logprob > ROUNDING) {
    throw new AsvError("evaluator_failed", `A log-probability cannot be above 0, got ${logprob}.`, {
      flag: "invalid_response",
      value: logprob,
    });
  }
  return Math.min(logprob, 0);
}

function atMostZero(value: number): number {
  return value > 0 && value <= ROUNDING ? 0 : value;
}
