import type { QualityFlag } from "../../schema/index.ts";
import { findMention } from "./find-mention.ts";
import { assertsAnswerKey } from "./gold-leak.ts";
import { namesLabel } from "./label-leak.ts";

/** A rationale and what it may be checked against. */
export interface RationaleToCheck {
  text: string;
  /** As the server gave it; `length` and `max_tokens` mean the text was cut off. */
  finishReason?: string;
  candidates: readonly { id: string; text: string }[];
  /**
   * For offline use only: with it, `gold_leak` means that the target was asserted as the answer key;
   * without it, that any candidate was. A scoring run never gives it, so that no record depends on it.
   */
  targetId?: string;
}

/** What the checks of one rationale found. Nothing here is fatal by itself. */
export interface RationaleCheck {
  /** Among `label_leak`, `gold_leak`, `low_coverage`, `empty_rationale`, `cut_off_rationale`. */
  flags: QualityFlag[];
  /** Share of candidates named by id or by text, 0 to 1. */
  coverage: number;
}

const CUT_OFF: readonly string[] = ["length", "max_tokens"];

/** Operational checks of a rationale buffer (paper section 3.2): leaks, coverage, empty, cut off. */
export function checkRationale({
  text,
  finishReason,
  candidates,
  targetId,
}: RationaleToCheck): RationaleCheck {
  const flags: QualityFlag[] = [];
  const asked = targetId === undefined ? candidates : candidates.filter(({ id }) => id === targetId);
  if (
    namesLabel(
      text,
      candidates.map((candidate) => candidate.text),
    )
  )
    flags.push("label_leak");
  if (
    assertsAnswerKey(
      text,
      asked.flatMap(({ id, text: own }) => [id, own]),
    )
  )
    flags.push("gold_leak");
  const lower = text.toLowerCase();
  const named = candidates.filter(
    ({ id, text: own }) =>
      findMention(lower, id.toLowerCase()) !== -1 || findMention(lower, own.toLowerCase()) !== -1,
  );
  const coverage = candidates.length === 0 ? 0 : named.length / candidates.length;
  if (coverage < 1) flags.push("low_coverage");
  if (text.trim() === "") flags.push("empty_rationale");
  if (finishReason !== undefined && CUT_OFF.includes(finishReason)) flags.push("cut_off_rationale");
  return { flags, coverage };
}
