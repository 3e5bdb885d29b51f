import type { DiagnosedStep } from "../diagnose/index.ts";
import { UNCLEAN_FLAGS } from "../summarize/step-bits.ts";
import { allFlags } from "./all-flags.ts";
import type { AttributionAudit } from "./attribution-audit.ts";
import type { IndexedChannel } from "./audit-channel.ts";
import type { AuditCandidate } from "./audit-sample.ts";
import { pairSteps } from "./pair-steps.ts";

/** Transitions that are clean in baseline and contrast, and how the others left. */
export function auditPopulation(
  baseline: IndexedChannel,
  contrast: IndexedChannel,
): { population: AuditCandidate[]; excluded: AttributionAudit["excluded"] } {
  const population: AuditCandidate[] = [];
  const excluded = { notPaired: 0, mismatched: 0, unclean: 0 };
  for (const [trajectoryId, steps] of baseline.steps) {
    for (const [stepId, step] of steps) {
      const pair = pairSteps(contrast.steps.get(trajectoryId)?.get(stepId), step);
      if (pair.kind === "mismatched") excluded.mismatched++;
      else if (pair.kind !== "paired") excluded.notPaired++;
      else if (isUnclean(pair.a) || isUnclean(pair.b)) excluded.unclean++;
      else {
        const gap = pair.a.diagnostics!.marginGain! - step.diagnostics!.marginGain!;
        population.push({ baseline: step, contrast: pair.a, gap });
      }
    }
  }
  for (const [trajectoryId, steps] of contrast.steps) {
    const known = baseline.steps.get(trajectoryId);
    for (const stepId of steps.keys()) if (known?.has(stepId) !== true) excluded.notPaired++;
  }
  return { population, excluded };
}

function isUnclean(step: DiagnosedStep): boolean {
  const flags = allFlags(step);
  return UNCLEAN_FLAGS.some((flag) => flags.has(flag));
}
