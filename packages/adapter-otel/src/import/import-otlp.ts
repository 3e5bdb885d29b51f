import type { Trajectory } from "@agent-step-value/sdk";
import type { OtlpSource } from "../framing/source.ts";
import { importSettings, type OtlpImportOptions } from "./import-options.ts";
import { type OtlpImportReport } from "./import-report.ts";
import { ReportWriter } from "./report-writer.ts";

/** Trajectories as they are imported, with the report that fills up meanwhile. Can be read once. */
export interface OtlpImport extends AsyncIterable<Trajectory> {
  readonly report: OtlpImportReport;
}

/**
 * Trajectories of OTLP files and streams: of the toolkit's own `asv.*` spans exactly, of other
 * instrumentations as far as their calls tell it.
 *
 * Takes every framing a Collector writes (JSON lines, length-prefixed protobuf, zstd of both kinds), gzip,
 * whole JSON documents, protobuf request bodies, Tempo and Jaeger exports, and dumps of spans; each told by
 * its content. Rotated sets, any order and duplicates make no difference. Bad input never throws: it is in
 * the report with its offset. Memory is bounded whatever the sources hold: records go through a
 * temporary file once they are many.
 *
 * Trajectories come in the order of their start while all records fit into memory, else in an order that
 * depends on their ids alone.
 *
 * @throws {AsvError} `unreadable_source` for a source that is not there, or a full temporary directory
 * @throws {InvalidArgumentError} for an option or source that cannot be used
 * @throws {InvalidRecordError} for a record of `options.states` that is none
 */
export function importOtlp(
  sources: OtlpSource | readonly OtlpSource[],
  options: OtlpImportOptions = {},
): OtlpImport {
  const settings = importSettings(options);
  const writer = new ReportWriter();
  async function* trajectories(): AsyncGenerator<Trajectory> {
    // Loaded on use: whoever only records spans needs none of it.
    const { otlpRun } = await import("./otlp-run.ts");
    yield* otlpRun(sources, settings, writer);
  }
  const run = trajectories();
  return { report: writer.report, [Symbol.asyncIterator]: () => run };
}
