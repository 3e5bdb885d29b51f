import { basename, resolve } from "node:path";
import { AsvError, protocolFromRecord, type IndexedProtocol, type Summary } from "@agent-step-value/sdk";
import { version } from "../io.ts";
import { openTextFile } from "../report/text-file.ts";
import { createRunCollector, type CollectOptions } from "./collect/collect-runs.ts";
import type { MeasuredRun } from "./collect/run-of.ts";
import { readRationales } from "./read-rationales.ts";
import { renderReport } from "./render-report.ts";
import type { ReportChannel, ReportInput } from "./report-input.ts";

/** An HTML report that is gathered while runs are read and written at the end, whole or not at all. */
export interface HtmlFile {
  add(run: MeasuredRun): void;
  /** Writes the report about the runs that were added and puts it in place. */
  commit(report: HtmlReport): Promise<void>;
  abort(): Promise<void>;
}

/** What is written beside the runs. */
export interface HtmlReport extends Pick<ReportInput, "channel" | "others" | "comparisons" | "audit"> {
  runFiles: readonly string[];
  scoreFiles: readonly string[];
}

/**
 * Opens the file first, so that a path that cannot be written is known before anything is measured.
 *
 * @throws AsvError `invalid_argument` when the file is one of those to be read
 */
export async function openHtmlFile(
  path: string,
  inputs: readonly string[],
  options: CollectOptions = {},
): Promise<HtmlFile> {
  if (inputs.some((input) => input !== "-" && resolve(input) === resolve(path))) {
    throw new AsvError("invalid_argument", `--html ${path} is a file to be read; name another one.`);
  }
  const file = await openTextFile(path);
  const collector = createRunCollector(options);
  return {
    add: (run) => collector.add(run),
    abort: () => file.abort(),
    commit: async ({ runFiles, scoreFiles, ...report }) => {
      try {
        const runs = collector.finish();
        const { protocol, protocolId } = report.channel;
        const written = protocol !== undefined && protocol.buffer.kind !== "none";
        const rationales = written ? await readRationales(scoreFiles, protocolId, runs) : undefined;
        const sources = [...runFiles, ...scoreFiles].map((name) =>
          name === "-" ? "standard input" : basename(name),
        );
        const input: ReportInput = {
          ...report,
          runs,
          sources,
          generator: `asv ${version()}`,
          ...(rationales !== undefined && { rationales }),
        };
        for await (const part of renderReport(input)) await file.write(part);
        await file.commit();
      } catch (error) {
        await file.abort();
        throw error;
      }
    },
  };
}

/** A channel of the report, from what the score files say of its protocol. */
export function reportChannel(
  summary: Summary,
  indexed: IndexedProtocol | undefined,
  cautions: readonly string[],
): ReportChannel {
  if (indexed === undefined) {
    return { name: "stored scores", protocolId: summary.protocolIds[0] ?? "provided", summary, cautions };
  }
  const { protocolId, name = protocolId, protocol } = indexed;
  return {
    name,
    protocolId,
    summary,
    cautions,
    ...(protocol !== undefined && {
      protocol: protocolFromRecord({ record: "protocol", protocolId, name, protocol }),
    }),
  };
}
