import type { Trajectory } from "@agent-step-value/sdk";
import { readForeignTrace, type ForeignTraceLog } from "../conventions/index.ts";
import type { OtelLog, OtelSpan } from "../spans/otel-span.ts";
import { foldDuplicates } from "./fold-duplicates.ts";
import type { ReportWriter } from "./report-writer.ts";
import { soundParents } from "./parent-links.ts";

/** The trajectories of one trace that other instrumentations wrote, and the note of each on how it was rebuilt. */
export function foreignRuns(
  traceId: string,
  spans: readonly OtelSpan[],
  logs: readonly OtelLog[],
  convention: string | undefined,
  writer: ReportWriter,
): { readonly trajectory: Trajectory; readonly note: () => void }[] {
  const { report } = writer;
  report.foreign.traces++;
  const distinct = foldDuplicates(spans, report.duplicates);
  const sound = [...soundParents(distinct, report.references)].sort((a, b) => a.order - b.order);
  const log: ForeignTraceLog = {
    warn: (code, message, span) => writer.warn(code, message, span?.place),
    used: (_span, name, as) => writer.used(`${name}:${as}`),
  };
  try {
    const options = convention === undefined ? {} : { convention };
    return readForeignTrace(sound, logs, options, log).map((found) => ({
      trajectory: found.trajectory,
      note: () => {
        report.foreign.trajectories++;
        writer.reconstructed(found.trajectory.trajectoryId, found.convention, found.fidelity);
      },
    }));
  } catch (error) {
    // One trace that a convention trips over must not cost all the others.
    report.rejected++;
    const reason = error instanceof Error ? error.name : "error";
    writer.warn(
      "unreadable_trace",
      `trace ${traceId.slice(0, 32)}: a convention failed on it (${reason})`,
      spans[0]?.place,
    );
    return [];
  }
}
