import { bytesText, findBytes } from "./bytes/index.ts";
import { findSecrets, type FoundSecret } from "./find-secrets.ts";
import { mergeSpans, withoutSpans } from "./merge-spans.ts";
import { standingPlaceholders } from "./placeholder.ts";
import type { ProjectionPass } from "./projection-pass.ts";

/** A replacement can uncover a neighbour; more rounds than this never changed anything. */
const MOST_ROUNDS = 4;
/** Rank of detectors: after all rules. */
const DETECTOR_RANK = 1_000_000;

/** Puts a text in place of each span. Spans are sorted and do not overlap. */
function replaceSpans<S extends { start: number; end: number }>(
  text: string,
  spans: readonly S[],
  replacement: (span: S) => string,
): string {
  let out = "";
  let from = 0;
  for (const span of spans) {
    out += text.slice(from, span.start) + replacement(span);
    from = span.end;
  }
  return out + text.slice(from);
}

function replaceBytes(text: string, pass: ProjectionPass): string {
  const found = findBytes(text);
  if (found.length === 0) return text;
  pass.tally.count("bytes", found.length);
  return replaceSpans(text, found, ({ description }) => bytesText(description));
}

/** What the user's detectors find. A span that is no place in the text counts as a throw. */
function askDetectors(text: string, pass: ProjectionPass): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const detector of pass.policy.detectors) {
    for (const { start, end, rule = "detected" } of detector(text)) {
      const inText = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end <= text.length;
      if (!inText || start > end || !/^[a-z0-9-]{1,40}$/.test(rule)) throw new RangeError("bad span");
      if (start < end) found.push({ start, end, id: rule, rank: DETECTOR_RANK });
    }
  }
  return found;
}

function replaceSecrets(text: string, pass: ProjectionPass): string {
  const { policy, session, tally } = pass;
  const standing = standingPlaceholders(text, policy.ruleIds);
  const found = findSecrets(text, policy.engine, standing);
  if (policy.detectors.length > 0) found.push(...askDetectors(text, pass));
  for (const { rule, number } of standing) session.reserve(rule, number);
  if (found.length === 0) return text;
  const spans = withoutSpans(mergeSpans(found), standing);
  for (const { id } of spans) tally.count(id);
  return replaceSpans(text, spans, ({ id, start, end }) => session.placeholder(id, text.slice(start, end)));
}

/**
 * A text without bytes and secrets, by the policy's text rules and detectors. What a rule or detector
 * throws costs the text: a marker stays.
 */
export function redactText(text: string, pass: ProjectionPass): string {
  try {
    let current = replaceBytes(text, pass);
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const next = replaceSecrets(current, pass);
      if (next === current) break;
      current = next;
    }
    return current;
  } catch {
    return pass.tally.fail("detector");
  }
}
