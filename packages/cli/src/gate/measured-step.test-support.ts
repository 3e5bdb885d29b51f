import type { DiagnosedStep } from "@agent-step-value/sdk";

/** A measured step that starts from this margin, with the even beliefs of an evaluator that tells nothing. */
export function measuredStep(
  trajectory: number,
  action: string,
  marginGain: number,
  marginBefore = 1,
): DiagnosedStep {
  const marginAfter = marginBefore + marginGain;
  return {
    trajectoryId: `t${trajectory}`,
    stepId: `${action}-${trajectory}`,
    index: 0,
    action,
    protocolId: "rho-0",
    evaluatorKind: "scripted",
    flags: [],
    diagnostics: {
      beliefBefore: { a: 0.5, b: 0.5 },
      beliefAfter: { a: 0.5, b: 0.5 },
      entropyBefore: 0.5,
      entropyAfter: 0.5,
      entropyMovement: 0,
      surprise: 1,
      marginBefore,
      marginAfter,
      marginGain,
      damage: marginBefore > 0 && marginAfter <= 0,
      repair: marginBefore <= 0 && marginAfter > 0,
      flags: [],
    },
  };
}
