import type { DiagnosedStep } from "../diagnose/index.ts";
import { createRunningSum } from "../math/index.ts";
import type { EstimateRequest } from "../summarize/estimates.ts";
import type { Estimate } from "../summarize/index.ts";
import { stepBits } from "../summarize/step-bits.ts";
import { allFlags } from "./all-flags.ts";
import type { AuditRow } from "./attribution-audit.ts";
import { flip } from "./channel-effect.ts";
import { createPairColumns, pairRows } from "./pair-columns.ts";
import { createMismatchTally } from "./pair-coverage.ts";
import { absoluteEffect, gainA, pairRequests, signedEffect } from "./pair-requests.ts";
import { pairSteps } from "./pair-steps.ts";
import { crossingsOf } from "./paired-crossings.ts";
import { moveReadings, signDisagreement } from "./sign-disagreement.ts";

/** The parts of a row that do not come from its steps. */
type RowHead = Pick<AuditRow, "channel" | "slice" | "buffer" | "isBaseline"> &
  Partial<Pick<AuditRow, "protocolId" | "differences">>;

/** One row: what to estimate of it, and the row once it is estimated. */
export interface RowPlan {
  requests: EstimateRequest[];
  unverified: number;
  row(estimates: readonly Estimate[]): AuditRow;
}

/**
 * Plans a row of the audit: one channel against the baseline over a sample.
 *
 * @param find the channel's step of the same ids
 * @param unitOf number of each trajectory of the sample, 0 to `units` − 1
 */
export function planAuditRow(
  head: RowHead,
  sample: readonly DiagnosedStep[],
  find: (step: DiagnosedStep) => DiagnosedStep | undefined,
  units: { unitOf: ReadonlyMap<string, number>; zeroTolerance: number },
): RowPlan {
  const { zeroTolerance, unitOf } = units;
  const columns = createPairColumns();
  const missing = { notInChannel: 0, withoutGain: 0, mismatched: 0 };
  const mismatches = createMismatchTally();
  const surprise = createRunningSum();
  let floored = 0;
  let unverified = 0;
  for (const baseline of sample) {
    const pair = pairSteps(find(baseline), baseline);
    if (pair.kind === "without_gain") missing.withoutGain++;
    else if (pair.kind === "mismatched") {
      missing.mismatched++;
      mismatches.add(pair.reason, baseline);
    } else if (pair.kind !== "paired") missing.notInChannel++;
    else {
      if (!pair.verified) unverified++;
      const flags = allFlags(pair.a);
      if (flags.has("floor")) floored++;
      surprise.add(pair.a.diagnostics!.surprise);
      columns.push({
        unit: unitOf.get(baseline.trajectoryId)!,
        action: 0,
        bitsA: stepBits(pair.a, flags, zeroTolerance),
        bitsB: stepBits(baseline, allFlags(baseline), zeroTolerance),
        gainA: pair.a.diagnostics!.marginGain!,
        gainB: baseline.diagnostics!.marginGain!,
      });
    }
  }
  const table = columns.table();
  const rows = pairRows(table, () => true);
  const { tolerance, sixDecimals } = moveReadings(zeroTolerance);
  return {
    unverified,
    requests: pairRequests(table, rows, unitOf.size, [
      gainA,
      signedEffect,
      absoluteEffect,
      flip(tolerance),
      flip(sixDecimals),
    ]),
    row([gain, gap, absoluteGap, flips, flipsSixDecimals]) {
      return {
        ...head,
        steps: rows.length,
        missing,
        mismatches: mismatches.list(),
        marginGain: gain!,
        gap: gap!,
        absoluteGap: absoluteGap!,
        flip: signDisagreement(table, rows, tolerance, flips!),
        flipSixDecimals: signDisagreement(table, rows, sixDecimals, flipsSixDecimals!),
        damage: crossingsOf(table, rows, unitOf.size, "damage", "bitsA"),
        repair: crossingsOf(table, rows, unitOf.size, "repair", "bitsA"),
        ...(rows.length === 0 ? {} : { meanSurprise: surprise.total() / rows.length }),
        floored,
      };
    },
  };
}
