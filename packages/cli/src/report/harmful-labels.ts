import { showValue, type DiagnosedStep } from "@agent-step-value/sdk";

/** The human labels that mark harmful steps, and those that occur. */
export interface HarmfulLabels {
  /** The step for the statistics. Only labels that mark harmful steps take part; files keep them all. */
  counted(step: DiagnosedStep): DiagnosedStep;
  /** A sentence for each label that was asked for and is on no step. */
  missing(): string[];
}

/** @param names with commas between; all labels count without it */
export function harmfulLabels(names: string | undefined): HarmfulLabels {
  const asked = names?.split(",").map((label) => label.trim());
  const seen = new Set<string>();
  return {
    counted(step) {
      if (step.label === undefined) return step;
      seen.add(step.label);
      if (asked === undefined || asked.includes(step.label)) return step;
      const { label: _, ...rest } = step;
      return rest;
    },
    missing: () =>
      (asked ?? [])
        .filter((label) => !seen.has(label))
        .map((label) => `no step carries the label ${showValue(label)}; there are ${described(seen)}`),
  };
}

function described(labels: ReadonlySet<string>): string {
  return labels.size === 0 ? "none" : [...labels].slice(0, 10).map(showValue).join(", ");
}
