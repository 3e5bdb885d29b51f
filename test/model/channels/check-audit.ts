import type { Tally } from "../tally.ts";
import type { AuditJson, ComparisonJson, EstimateJson } from "./comparison-json.ts";

/** The parts of `steps.jsonl` and `summary.json` that an audit is held against. */
export interface ReportedStep {
  trajectory_id: string;
  step_id: string;
  diagnostics?: { margin_gain?: number };
}

export interface SummaryJson {
  margin_gain: EstimateJson & { steps: number };
}

/** The audit's rows, held against the report of the baseline and the comparisons of the other channels. */
export function checkAudit(
  audit: AuditJson,
  report: { summary: SummaryJson; steps: readonly ReportedStep[] },
  comparisons: readonly ComparisonJson[],
  tally: Tally,
): void {
  const gains = new Map(report.steps.map((step) => [placeOf(step), step.diagnostics?.margin_gain]));
  for (const { sample, steps, rows, selected, population } of audit.tables) {
    const row = rows.find(({ channel }) => channel === "direct")!;
    const own = steps.map((step) => gains.get(placeOf(step))!);
    const mean = own.reduce((sum, gain) => sum + gain, 0) / own.length;
    tally.check(
      `audit, ${sample}: the row of direct is the report's mean over the same steps`,
      row.is_baseline &&
        row.steps === selected &&
        Math.abs(row.margin_gain.mean! - mean) <= 1e-12 &&
        row.gap.mean === 0 &&
        row.flip.disagree === 0 &&
        (selected < report.summary.margin_gain.steps ||
          row.margin_gain.mean === report.summary.margin_gain.mean),
      `${selected} of ${population} clean steps, the report has ${report.summary.margin_gain.steps}`,
    );
    const whole = rows.filter(
      ({ channel, steps: count }) =>
        count === comparisons.find(({ a }) => a.name === channel)?.all.pairs && count === selected,
    );
    tally.check(
      `audit, ${sample}: rows over all steps have the comparison's gain, gap and flips`,
      whole.every(({ channel, margin_gain, gap, absolute_gap, flip }) => {
        const { all } = comparisons.find(({ a }) => a.name === channel)!;
        return (
          margin_gain.mean === all.a.mean &&
          gap.mean === all.signed.mean &&
          absolute_gap.mean === all.absolute.mean &&
          flip.disagree === all.sign_disagreement.disagree &&
          flip.both_moved === all.sign_disagreement.both_moved
        );
      }),
      `${whole.length} of ${rows.length} rows`,
    );
  }
}

function placeOf({ trajectory_id, step_id }: { trajectory_id: string; step_id: string }): string {
  return JSON.stringify([trajectory_id, step_id]);
}
