import type { DiagnosedStep } from "../diagnose/index.ts";
import type { MismatchReason } from "./channel-comparison.ts";

/** What two channels have of one step. */
export type StepPair =
  | { kind: "only_in_a"; a: DiagnosedStep }
  | { kind: "only_in_b"; b: DiagnosedStep }
  | { kind: "mismatched"; a: DiagnosedStep; b: DiagnosedStep; reason: MismatchReason }
  | { kind: "without_gain"; a: DiagnosedStep; b: DiagnosedStep; inA: boolean; inB: boolean }
  | { kind: "paired"; a: DiagnosedStep; b: DiagnosedStep; verified: boolean };

/**
 * Two channels' steps of one id as a pair, or as what keeps them from being one.
 *
 * A pair must be one frozen transition: the same action, candidate set, target and states, as far as either
 * side says. A step whose before-state is another one measures something else, whatever its id.
 */
export function pairSteps(a: DiagnosedStep | undefined, b: DiagnosedStep | undefined): StepPair {
  if (b === undefined) return { kind: "only_in_a", a: a! };
  if (a === undefined) return { kind: "only_in_b", b };
  const reason = mismatchOf(a, b);
  if (reason !== undefined) return { kind: "mismatched", a, b, reason };
  const inA = a.diagnostics?.marginGain === undefined;
  const inB = b.diagnostics?.marginGain === undefined;
  if (inA || inB) return { kind: "without_gain", a, b, inA, inB };
  return { kind: "paired", a, b, verified: isIdentified(a) && isIdentified(b) };
}

function mismatchOf(a: DiagnosedStep, b: DiagnosedStep): MismatchReason | undefined {
  const [from, to] = [a.transition ?? {}, b.transition ?? {}];
  if (differ(from.candidateSetSha256, to.candidateSetSha256)) return "candidates";
  if (differ(from.targetId, to.targetId)) return "target";
  if (differ(from.stateBeforeSha256, to.stateBeforeSha256)) return "state_before";
  if (differ(from.stateAfterSha256, to.stateAfterSha256)) return "state_after";
  return a.action === b.action ? undefined : "action";
}

/** What one side does not say is no difference: the pair is then counted as unverified. */
function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

function isIdentified({ transition }: DiagnosedStep): boolean {
  return (
    transition?.candidateSetSha256 !== undefined &&
    transition.stateBeforeSha256 !== undefined &&
    transition.stateAfterSha256 !== undefined
  );
}
