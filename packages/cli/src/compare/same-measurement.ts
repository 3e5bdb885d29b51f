import type { AttributionAudit, ChannelComparison } from "@agent-step-value/sdk";

/**
 * Whether two channels of different settings gave every step the very same gain, although steps moved: they are
 * then one measurement, and that they agree says nothing.
 */
export function isSameMeasurement({ all, differences }: ChannelComparison): boolean {
  return all.signDisagreement.bothMoved > 0 && all.absolute.mean === 0 && differences?.length !== 0;
}

/** Channels of an audit that are the same measurement as its baseline on every transition of a sample. */
export function sameAsBaseline({ tables }: AttributionAudit): string[] {
  const rows = tables.flatMap((table) => table.rows);
  const same = rows.filter(
    ({ isBaseline, absoluteGap, flip }) => !isBaseline && flip.bothMoved > 0 && absoluteGap.mean === 0,
  );
  const different = new Set(
    rows.filter(({ absoluteGap }) => absoluteGap.mean !== 0).map(({ channel }) => channel),
  );
  return [...new Set(same.map(({ channel }) => channel))].filter((name) => !different.has(name));
}

/** What is to be said of such a pair. */
export const SAME_MEASUREMENT =
  "these two are the same measurement: every step has the very same gain in both. Perhaps the evaluator was shown the " +
  "same in both; that they agree says nothing";
