import type { RecordPlace } from "../../errors/index.ts";
import { MAX_CANDIDATES, MIN_CANDIDATES } from "../../candidates/index.ts";
import type { CandidateSpace, JsonObject } from "../../schema/index.ts";
import type { ImportLog } from "../import-run.ts";
import { normaliseAnswer } from "../normalise-answer.ts";

/** More different targets than this are answers to many questions, not the answers of one. */
const MOST_TARGETS = 8;

/** Answers of a whole log by their normalised form, or undefined where targets are no closed set. */
export type TargetSet = ReadonlyMap<string, string> | undefined;

/**
 * The targets of a log as a closed set: a few texts that come again and again, such as Yes and No. Each
 * sample has one target, and there are more samples than targets.
 */
export function targetSet(samples: readonly JsonObject[]): TargetSet {
  const texts = new Map<string, string>();
  for (const sample of samples) {
    const [target, ...more] = targetsOf(sample);
    if (target === undefined || more.length > 0) return undefined;
    const key = normaliseAnswer(target);
    if (!texts.has(key)) texts.set(key, target);
    if (texts.size > MOST_TARGETS) return undefined;
  }
  if (texts.size < MIN_CANDIDATES || texts.size === samples.length) return undefined;
  // In alphabetical order: the order of first use would lean towards the targets of the first samples.
  return new Map([...texts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The candidates of one sample: its choices, else the log's target set. The target becomes the gold
 * candidate and stands nowhere else. Texts lose the space around them.
 */
export function inspectCandidates(
  sample: JsonObject,
  targets: TargetSet,
  id: string,
  place: RecordPlace,
  log: ImportLog,
): CandidateSpace | undefined {
  const wanted = targetsOf(sample);
  const choices = choicesOf(sample);
  const texts = choices ?? [...(targets?.values() ?? [])];
  if (!isUsable(texts)) {
    if (choices !== undefined) {
      log.warn("bad_choices", `${id}: choices are fewer than two, too many, blank or alike; not used`, place);
    }
    if (wanted.length > 0) {
      log.warn(
        "target_without_candidates",
        `${id}: the target is not kept; attach a set with its gold`,
        place,
      );
    }
    return undefined;
  }
  const gold = wanted.length === 1 ? placeOf(wanted[0]!, texts, choices !== undefined) : -1;
  if (gold < 0 && wanted.length > 0) {
    const what = wanted.length > 1 ? "several targets" : "a target that is no candidate";
    log.warn("no_single_target", `${id}: has ${what}; no gold candidate`, place);
  }
  return {
    type: "closed_set",
    candidates: texts.map((text, i) => ({ id: `cand-${i + 1}`, text })),
    ...(gold >= 0 && { goldCandidateId: `cand-${gold + 1}` }),
    labelSource: "inspect",
  };
}

function targetsOf({ target }: JsonObject): string[] {
  const listed = Array.isArray(target) ? target : [target];
  return listed.filter((each) => typeof each === "string").flatMap((each) => each.trim() || []);
}

function choicesOf({ choices }: JsonObject): string[] | undefined {
  if (!Array.isArray(choices) || choices.length === 0) return undefined;
  return choices.map((choice) => (typeof choice === "string" ? choice.trim() : ""));
}

function isUsable(texts: readonly string[]): boolean {
  const different = new Set(texts.map(normaliseAnswer));
  return (
    texts.length >= MIN_CANDIDATES &&
    texts.length <= MAX_CANDIDATES &&
    !texts.includes("") &&
    different.size === texts.length
  );
}

/** A target names a choice by its letter or by its text; a text that is also a letter is the text. */
function placeOf(target: string, texts: readonly string[], lettered: boolean): number {
  const own = texts.findIndex((text) => normaliseAnswer(text) === normaliseAnswer(target));
  if (own >= 0 || !lettered || !/^[A-Z]$/.test(target)) return own;
  const place = target.charCodeAt(0) - 65;
  return place < texts.length ? place : -1;
}
