import {
  createSummarizer,
  diagnoseTrajectory,
  encodeSummary,
  PROVIDED_PROTOCOL,
  showValue,
  type DiagnosedStep,
  type IndexedProtocol,
  type JsonObject,
  type ScoreIndex,
  type Summary,
} from "@agent-step-value/sdk";
import { Command, Option } from "commander";
import { EXIT, type Outcome } from "../exit-code.ts";
import type { HtmlFile } from "../html/index.ts";
import { say, warn, type Io } from "../io.ts";
import { countOption, integerOption } from "../options.ts";
import { cautionOf } from "../records/evaluators.ts";
import { createWarningLog, readRuns, type WarningLog } from "../records/read-input.ts";
import { chooseProtocol, readScores, sortFiles } from "../records/score-files.ts";
import { openReportFiles } from "../report/report-files.ts";
import { trajectoryRow } from "../report/tables.ts";
import { terminalReport, type ReportHead } from "../report/terminal-report.ts";

interface ReportOptions {
  out?: string;
  html?: string;
  json?: boolean;
  protocol?: string;
  labels?: string;
  resamples: number;
  seed: number;
}

/** `asv report FILE...`: step values, summarised. */
export function reportCommand(io: Io, outcome: Outcome): Command {
  return new Command("report")
    .description("step values and their summary from trajectories and score files")
    .argument(
      "<files...>",
      "trajectory files and score files, in any order; without a score file the stored scores are used",
    )
    .option("-o, --out <folder>", "write summary.json, steps.jsonl and tables/*.csv there")
    .option("--html <file>", "write the report as one HTML file, to open in a browser or to pass on")
    .option("--json", "print the summary as JSON instead of the table")
    .option("--protocol <id>", "protocol id or name, where the score files hold several")
    .option("--labels <names>", "human labels that mark harmful steps, with commas between; all without it")
    .addOption(new Option("--resamples <n>", "bootstrap resamples").argParser(countOption).default(10_000))
    .addOption(new Option("--seed <n>", "seed of the bootstrap").argParser(integerOption).default(7))
    .action(async (files: string[], options: ReportOptions) => {
      const log = createWarningLog(io);
      const { runs, scores } = await sortFiles(files);
      const index = await readScores(scores, log);
      const protocol = index === undefined ? undefined : chooseProtocol(index, options.protocol);
      const labels = new Set<string>();
      const html = await htmlFile(options, files);
      const summary = await measure(runs, index, protocol, options, log, labels, html);
      for (const asked of harmfulLabels(options) ?? []) {
        if (!labels.has(asked))
          warn(io, `no step carries the label ${showValue(asked)}; there are ${describeLabels(labels)}`);
      }
      const head = headOf(summary, protocol);
      const channel = html?.reportChannel(summary, protocol, head.cautions);
      if (channel !== undefined) await html?.file.commit({ channel, runFiles: runs, scoreFiles: scores });
      if (options.json) io.stdout.write(`${JSON.stringify(summaryJson(summary, protocol, head))}\n`);
      else io.stdout.write(terminalReport(summary, head));
      if (options.out !== undefined) say(io, `wrote ${options.out}/summary.json, steps.jsonl and tables/`);
      if (options.html !== undefined) say(io, `wrote ${options.html}`);
      if (summary.counts.unscored > 0) outcome.exitCode = EXIT.partial;
    });
}

/** The HTML report with the code that writes it, loaded for those who want one. */
interface OpenHtml {
  file: HtmlFile;
  reportChannel: typeof import("../html/index.ts").reportChannel;
}

async function htmlFile(
  { html, seed }: ReportOptions,
  inputs: readonly string[],
): Promise<OpenHtml | undefined> {
  if (html === undefined) return undefined;
  const { openHtmlFile, reportChannel } = await import("../html/index.ts");
  return { file: await openHtmlFile(html, inputs, { seed }), reportChannel };
}

async function measure(
  runs: readonly string[],
  index: ScoreIndex | undefined,
  protocol: IndexedProtocol | undefined,
  options: ReportOptions,
  log: WarningLog,
  labels: Set<string>,
  html: OpenHtml | undefined,
): Promise<Summary> {
  const files = options.out === undefined ? undefined : await openReportFiles(options.out);
  const summarizer = createSummarizer({ resamples: options.resamples, seed: options.seed });
  const harmful = harmfulLabels(options);
  try {
    for await (const trajectory of readRuns(runs, log)) {
      const steps = diagnoseTrajectory(trajectory, index ?? "provided", { protocolId: protocol?.protocolId });
      for (const step of steps) {
        if (step.label !== undefined) labels.add(step.label);
        summarizer.add(withLabel(step, harmful));
      }
      html?.file.add({ trajectory, steps, others: [] });
      await files?.addTrajectory(trajectoryRow(trajectory.trajectoryId, trajectory.status, steps), steps);
    }
    const summary = summarizer.finish();
    await files?.commit(summaryJson(summary, protocol, headOf(summary, protocol)), summary.stepTypes);
    return summary;
  } catch (error) {
    await files?.abort();
    await html?.file.abort();
    throw error;
  }
}

function harmfulLabels({ labels }: ReportOptions): string[] | undefined {
  return labels?.split(",").map((label) => label.trim());
}

function describeLabels(labels: ReadonlySet<string>): string {
  return labels.size === 0 ? "none" : [...labels].slice(0, 10).map(showValue).join(", ");
}

/** Only labels that mark harmful steps take part in the label statistics; files keep them all. */
function withLabel(step: DiagnosedStep, harmful: readonly string[] | undefined): DiagnosedStep {
  if (step.label === undefined || harmful === undefined || harmful.includes(step.label)) return step;
  const { label: _, ...rest } = step;
  return rest;
}

function headOf(summary: Summary, protocol: IndexedProtocol | undefined): ReportHead {
  return {
    protocol:
      protocol === undefined
        ? "the scores stored in the trajectories"
        : `${protocol.name ?? PROVIDED_PROTOCOL} (${protocol.protocolId}), evaluator ${protocol.evaluatorKinds.join(", ")}`,
    cautions: summary.evaluatorKinds.flatMap((kind) => cautionOf(kind) ?? []),
  };
}

function summaryJson(summary: Summary, protocol: IndexedProtocol | undefined, head: ReportHead): JsonObject {
  return {
    ...encodeSummary(summary),
    cautions: [...head.cautions],
    ...(protocol?.protocol !== undefined && { protocol: protocol.protocol }),
    ...(protocol?.name !== undefined && { protocol_name: protocol.name }),
  };
}
