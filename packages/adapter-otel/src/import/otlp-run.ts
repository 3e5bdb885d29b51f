import type { Trajectory } from "@agent-step-value/sdk";
import { conventionsFor } from "../conventions/convention-table.ts";
import { openSources, type OtlpSource } from "../framing/source.ts";
import { emitRuns } from "./emit-runs.ts";
import type { ImportSettings } from "./import-options.ts";
import type { ReportWriter } from "./report-writer.ts";
import { readCapturedStates, readRecords } from "./read-records.ts";
import { RecordSorter } from "./record-sorter.ts";
import { RecordSpill } from "./record-spill.ts";
import { StateStore } from "./state-store.ts";

/**
 * The two passes of an import: every source is read once and its records are put by run; then the runs
 * are made one by one.
 */
export async function* otlpRun(
  sources: OtlpSource | readonly OtlpSource[],
  settings: ImportSettings,
  writer: ReportWriter,
): AsyncGenerator<Trajectory> {
  const conventions = conventionsFor(settings.convention);
  const opened = await openSources(sources);
  const spill = new RecordSpill(settings.memoryLimit, settings.tempDirectory);
  const store = new StateStore(settings.tempDirectory);
  try {
    await readCapturedStates(settings, store);
    await readRecords(opened, new RecordSorter(spill, store, writer, conventions), writer, settings);
    yield* emitRuns({ spill, store, writer, settings });
    writer.report.spilledBytes = spill.spilled;
    writer.finish();
  } finally {
    spill.close();
    store.close();
  }
}
