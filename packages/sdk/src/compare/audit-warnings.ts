import { FEW_TRAJECTORIES, MIN_TRAJECTORIES } from "../summarize/index.ts";
import type { AttributionAudit, AuditRow, AuditWarning } from "./attribution-audit.ts";
import { changedElements } from "./diff-settings.ts";

/** Everything a reader of an audit has to know before its numbers. */
export function auditWarnings(audit: Omit<AttributionAudit, "warnings">, unverified: number): AuditWarning[] {
  const { tables, excluded, missingChannels } = audit;
  const rows = tables.flatMap((table) => table.rows);
  const trajectories = Math.min(
    ...tables.map(({ steps }) => new Set(steps.map(({ trajectoryId }) => trajectoryId)).size),
  );
  const isEmpty = tables.some(({ population }) => population === 0);
  const found: [AuditWarning, boolean][] = [
    ["no_clean_transitions", isEmpty],
    ["fewer_than_requested", tables.some(({ requested, selected }) => selected < (requested ?? 0))],
    ["selected_on_outcome", tables.some(({ selectedOnOutcome }) => selectedOnOutcome)],
    ["unequal_coverage", tables.some((table) => table.rows.some(({ steps }) => steps !== table.selected))],
    ["missing_channels", missingChannels.length > 0],
    ["mismatched_transitions", excluded.mismatched > 0 || rows.some(({ missing }) => missing.mismatched > 0)],
    ["unverified_transitions", unverified > 0],
    ["too_few_trajectories", !isEmpty && trajectories < MIN_TRAJECTORIES],
    ["few_trajectories", trajectories >= MIN_TRAJECTORIES && trajectories < FEW_TRAJECTORIES],
    ["no_paired_moves", rows.some(({ steps, flip }) => steps > 0 && flip.bothMoved === 0)],
    ["several_elements_differ", rows.some(changesSeveral)],
  ];
  return found.filter(([, holds]) => holds).map(([warning]) => warning);
}

/** Of ρ's parts a row may change one; a row on two axes, such as a buffer over a slice, changes two. */
function changesSeveral({ differences }: AuditRow): boolean {
  return differences !== undefined && changedElements(differences).length > 1;
}
