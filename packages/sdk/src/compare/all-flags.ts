import type { DiagnosedStep } from "../diagnose/index.ts";
import type { QualityFlag } from "../schema/index.ts";

/** Flags of a step and of its diagnostics, each once. */
export function allFlags(step: DiagnosedStep): Set<QualityFlag> {
  const flags = new Set<QualityFlag>(step.flags);
  for (const flag of step.diagnostics?.flags ?? []) flags.add(flag);
  return flags;
}
