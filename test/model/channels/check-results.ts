import { join } from "node:path";
import type { Tally } from "../tally.ts";
import type { Asv } from "./asv.ts";
import { checkAudit, type ReportedStep, type SummaryJson } from "./check-audit.ts";
import {
  checkAgainstItself,
  checkAgainstRecords,
  checkMirror,
  checkNoGain,
  checkSameNumbers,
} from "./check-comparisons.ts";
import { checkNoNan } from "./check-no-nan.ts";
import { checkReport } from "./check-report.ts";
import type { AuditJson, ComparisonJson } from "./comparison-json.ts";
import type { OwnGain } from "./own-gains.ts";
import { readJson, readLines } from "./read-files.ts";
import { CHANNELS, SAME_REQUESTS, scoreFile } from "./score-channels.ts";
import { RUNS } from "./work-files.ts";

export interface ScoredChannels {
  /** Computed here from the score records. */
  gains: ReadonlyMap<string, readonly OwnGain[]>;
  steps: number;
  /** Some states are, so commands end with 4. */
  unscored: boolean;
}

/**
 * `asv compare`, `audit` and `report` over all channels, and what must hold of their files.
 *
 * @returns the comparison of each channel with direct, in the order of {@link CHANNELS}
 */
export async function checkResults(
  asv: Asv,
  folder: string,
  { gains, steps, unscored }: ScoredChannels,
  tally: Tally,
): Promise<ComparisonJson[]> {
  const files = [RUNS, ...CHANNELS.map((channel) => scoreFile(channel))];
  const codes = unscored ? [0, 4] : [0];
  const against = ["--baseline", "direct", "--channel", ...CHANNELS];
  const compared = await asv(["compare", ...files, ...against, "--out", "compared"], codes);
  const comparisons = comparisonsIn(join(folder, "compared"));
  tally.check(
    "asv compare: every channel against direct",
    JSON.stringify(comparisons.map(({ a, b }) => [a.name, b.name])) ===
      JSON.stringify(CHANNELS.map((channel) => [channel, "direct"])),
  );
  const of = (channel: string) => comparisons[(CHANNELS as readonly string[]).indexOf(channel)]!;
  checkAgainstItself(of("direct"), steps, tally);
  for (const comparison of comparisons)
    checkAgainstRecords(comparison, gains.get(comparison.a.name)!, gains.get("direct")!, tally);
  checkNoGain(of("candidate-only"), gains.get("candidate-only")!, tally);
  for (const [channel, namesake] of Object.entries(SAME_REQUESTS))
    checkSameNumbers(of(channel), of(namesake), tally);
  for (const [i, channel] of CHANNELS.entries()) {
    const out = `exchanged/${i}`;
    await asv(["compare", ...files, "--baseline", channel, "--channel", "direct", "--out", out], codes);
    checkMirror(comparisons[i]!, comparisonsIn(join(folder, out))[0]!, tally);
  }

  const audited = await asv(
    ["audit", ...files, "--sample", "clean", "largest-gap", "random", "--cues", "--out", "audited"],
    codes,
  );
  const reported = await asv(
    ["report", ...files, "--protocol", "direct", "--html", "report.html", "--out", "reported"],
    codes,
  );
  const audit = readJson<AuditJson>(join(folder, "audited/audit.json"));
  const summary = readJson<SummaryJson>(join(folder, "reported/summary.json"));
  const stepLines = readLines<ReportedStep>(join(folder, "reported/steps.jsonl"));
  checkAudit(audit, { summary, steps: stepLines }, comparisons, tally);
  await checkCues(asv, audit, tally);
  checkReport(join(folder, "report.html"), { comparisons, audit, summary, steps }, tally);
  const written = ["compared", "exchanged", "audited", "reported"].map((name) => join(folder, name));
  checkNoNan(
    written,
    [compared, audited, reported].map(({ stdout }) => stdout),
    tally,
  );
  return comparisons;
}

/** The work list reads back, one row a transition of the audit's first sample, and nobody has judged it yet. */
async function checkCues(asv: Asv, audit: AuditJson, tally: Tally): Promise<void> {
  const { stdout } = await asv(["cues", "audited/cues.jsonl", "--verdicts", "audited/cues.csv", "--json"]);
  const { rows, judged } = JSON.parse(stdout) as { rows: number; judged: number };
  const [{ selected } = { selected: -1 }] = audit.tables;
  tally.check(
    "asv cues: the audit's work list reads back, one row a transition, without a verdict",
    rows === selected && judged === 0,
    `${rows} rows`,
  );
}

function comparisonsIn(folder: string): ComparisonJson[] {
  return readJson<{ comparisons: ComparisonJson[] }>(join(folder, "comparisons.json")).comparisons;
}
