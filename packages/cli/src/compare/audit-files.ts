import { join } from "node:path";
import {
  encodeAudit,
  type AttributionAudit,
  type AuditedStep,
  type AuditRow,
  type JsonObject,
} from "@agent-step-value/sdk";
import { makeFolder } from "../records/make-folder.ts";
import type { CsvColumn } from "../report/csv.ts";
import { writeTextFiles } from "../report/text-file.ts";
import { auditResamplingCautions } from "./audit-text.ts";
import { csv } from "./comparison-files.ts";

interface SampledRow extends AuditRow {
  sample: string;
}

interface SampledStep extends AuditedStep {
  sample: string;
}

/** What {@link writeAuditFiles} writes in its folder. */
export const AUDIT_FILES: readonly string[] = ["audit.json", "tables/audit.csv", "tables/audited_steps.csv"];

/** Writes `audit.json`, `tables/audit.csv` and `tables/audited_steps.csv`. */
export async function writeAuditFiles(
  folder: string,
  audit: AttributionAudit,
  json: JsonObject,
): Promise<void> {
  await makeFolder(join(folder, "tables"));
  const rows = audit.tables.flatMap(({ sample, rows: own }) => own.map((row) => ({ sample, ...row })));
  const steps = audit.tables.flatMap(({ sample, steps: own }) => own.map((step) => ({ sample, ...step })));
  await writeTextFiles({
    [join(folder, "tables", "audit.csv")]: csv(rowColumns, rows),
    [join(folder, "tables", "audited_steps.csv")]: csv(stepColumns, steps),
    [join(folder, "audit.json")]: `${JSON.stringify(json, null, 2)}\n`,
  });
}

/** The audit as JSON, with what is to be said of its evaluators and what the probes found. */
export function auditJson(
  audit: AttributionAudit,
  cautions: readonly string[],
  robustness: readonly JsonObject[],
): JsonObject {
  return {
    ...encodeAudit(audit),
    cautions: [...cautions, ...auditResamplingCautions(audit)],
    robustness: [...robustness],
  };
}

const rowColumns: readonly CsvColumn<SampledRow>[] = [
  { name: "sample", cell: (row) => row.sample },
  { name: "slice", cell: (row) => row.slice },
  { name: "buffer", cell: (row) => row.buffer },
  { name: "channel", cell: (row) => row.channel },
  { name: "protocol_id", cell: (row) => row.protocolId },
  { name: "n", cell: (row) => row.steps },
  { name: "mean_margin_gain", cell: (row) => row.marginGain.mean },
  { name: "gain_low", cell: (row) => row.marginGain.interval?.low },
  { name: "gain_high", cell: (row) => row.marginGain.interval?.high },
  { name: "gap", cell: (row) => row.gap.mean },
  { name: "gap_low", cell: (row) => row.gap.interval?.low },
  { name: "gap_high", cell: (row) => row.gap.interval?.high },
  { name: "absolute_gap", cell: (row) => row.absoluteGap.mean },
  { name: "both_moved", cell: (row) => row.flip.bothMoved },
  { name: "flips", cell: (row) => row.flip.disagree },
  { name: "flip_rate", cell: (row) => row.flip.rate.mean },
  { name: "damage", cell: (row) => row.damage.count },
  { name: "damage_rate", cell: (row) => row.damage.rate },
  { name: "damage_rate_of_eligible", cell: (row) => row.damage.rateOfEligible },
  { name: "repair", cell: (row) => row.repair.count },
  { name: "repair_rate", cell: (row) => row.repair.rate },
  { name: "repair_rate_of_eligible", cell: (row) => row.repair.rateOfEligible },
  { name: "mean_surprise", cell: (row) => row.meanSurprise },
  { name: "floored", cell: (row) => row.floored },
  { name: "not_in_channel", cell: (row) => row.missing.notInChannel },
  { name: "without_gain", cell: (row) => row.missing.withoutGain },
  { name: "mismatched", cell: (row) => row.missing.mismatched },
];

const stepColumns: readonly CsvColumn<SampledStep>[] = [
  { name: "sample", cell: (step) => step.sample },
  { name: "trajectory_id", cell: (step) => step.trajectoryId },
  { name: "step_id", cell: (step) => step.stepId },
  { name: "action", cell: (step) => step.action },
  { name: "gap", cell: (step) => step.gap },
];
