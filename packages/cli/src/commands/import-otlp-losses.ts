import type { OtlpImportReport } from "@agent-step-value/adapter-otel";

/** What an import lost beyond what its problems and warnings say, a line each. */
export function lossesOf(report: OtlpImportReport): string[] {
  const { states, native, references, duplicates } = report;
  const lines: [count: number, text: string][] = [
    [states.missing, "states have only their digest here; give the capture with --states FILE"],
    [states.cut, "states were cut short on their way, by an attribute length limit for example"],
    [states.damaged, "states are not what their span declares"],
    [native.withoutSpan, "trajectories came without their own span and count as partial"],
    [
      native.missingSteps,
      `steps did not arrive, of ${native.incomplete} trajectories, which count as partial`,
    ],
    [native.damagedDetails, "asv.*.detail attributes hold no JSON any more"],
    [duplicates.conflicts, "spans came twice with different content; the one that ended later counts"],
    [references.unresolved, "spans name a parent that is not there"],
    [references.cycles, "cycles of parents were cut"],
    [report.foreign.besideNative, "traces hold calls beside asv.* spans, which tell the same runs exactly"],
  ];
  return lines.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
}
