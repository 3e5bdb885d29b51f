import type { DiagnosedStep } from "../diagnose/index.ts";
import type { StepDiagnostics } from "../schema/index.ts";

/** A measured step with a margin before of 1, so that a gain below −1 is damage. */
export function stepOf(
  trajectoryId: string,
  stepId: string,
  gain: number | undefined,
  changes: Partial<DiagnosedStep> = {},
): DiagnosedStep {
  return {
    trajectoryId,
    stepId,
    index: 0,
    action: "retrieve",
    protocolId: "rho-1",
    evaluatorKind: "scripted",
    diagnostics: diagnosticsOf(gain),
    flags: [],
    transition: {
      candidateSetSha256: "set",
      targetId: "cand-1",
      stateBeforeSha256: `${trajectoryId} ${stepId} before`,
      stateAfterSha256: `${trajectoryId} ${stepId} after`,
    },
    ...changes,
  };
}

export function diagnosticsOf(gain: number | undefined, before = 1): StepDiagnostics {
  const after = before + (gain ?? 0);
  return {
    beliefBefore: { "cand-1": 0.6, "cand-2": 0.4 },
    beliefAfter: after > 0 ? { "cand-1": 0.6, "cand-2": 0.4 } : { "cand-1": 0.4, "cand-2": 0.6 },
    entropyBefore: 0.5,
    entropyAfter: 0.5,
    entropyMovement: 0,
    surprise: Math.abs(gain ?? 0),
    ...(gain === undefined
      ? {}
      : {
          marginBefore: before,
          marginAfter: after,
          marginGain: gain,
          damage: before > 0 && after <= 0,
          repair: before <= 0 && after > 0,
          layoutSpread: 0,
        }),
    flags: [],
  };
}

/** The same step as it comes out when a state has no score. */
export function unscored(step: DiagnosedStep): DiagnosedStep {
  const { diagnostics: _, ...rest } = step;
  return { ...rest, flags: ["unscored"] };
}

/** Every number of a result, to look for NaN and infinities. */
export function numbersOf(value: unknown): number[] {
  if (typeof value === "number") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(numbersOf);
}
