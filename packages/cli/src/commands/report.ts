import {
  createSummarizer,
  diagnoseTrajectory,
  type IndexedProtocol,
  type ScoreIndex,
  type Summary,
} from "@agent-step-value/sdk";
import { Command, Option } from "commander";
import { chooseChannels, namedChannels, type ChosenChannels } from "../compare/choose-channels.ts";
import { PROBES } from "../compare/robustness.ts";
import { EXIT, type Outcome } from "../exit-code.ts";
import { finishGates, gateFiles, gateOptions, type GateOptions } from "../gate/gate-options.ts";
import { passReport, reportGates } from "../gate/gates.ts";
import { reportMarkdown } from "../gate/markdown.ts";
import type { HtmlFile, HtmlReport } from "../html/index.ts";
import { say, warn, type Io } from "../io.ts";
import { countOption, fileOption, folderOption, integerOption } from "../options.ts";
import { cautionOf } from "../records/evaluators.ts";
import { createWarningLog, readRuns, type WarningLog } from "../records/read-input.ts";
import { chooseProtocol, readScores, sortFiles } from "../records/score-files.ts";
import { harmfulLabels } from "../report/harmful-labels.ts";
import { AUDIT_STEPS, measureChannels, type ChannelMeasuring } from "../report/measure-channels.ts";
import { namedOutputs, outputFiles, refuseOverwriting } from "../report/refuse-overwriting.ts";
import { openReportFiles, REPORT_FILES } from "../report/report-files.ts";
import { reportHead, summaryJson } from "../report/report-head.ts";
import { trajectoryRow } from "../report/tables.ts";
import { summaryCautions, terminalReport } from "../report/terminal-report.ts";
import { printable } from "../terminal/table.ts";

interface ReportOptions extends GateOptions {
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
  const command = new Command("report")
    .description("step values and their summary from trajectories and score files")
    .argument(
      "<files...>",
      "trajectory files and score files, in any order; without a score file the stored scores are used",
    )
    .option("-o, --out <folder>", "write summary.json, steps.jsonl and tables/*.csv there", folderOption)
    .option(
      "--html <file>",
      "write the report as one HTML file, to open in a browser or to pass on; further protocols are compared there",
      fileOption,
    )
    .option("--json", "print the summary as JSON instead of the table")
    .option("--protocol <id>", "protocol id or name, where the score files hold several")
    .option("--labels <names>", "human labels that mark harmful steps, with commas between; all without it")
    .addOption(new Option("--resamples <n>", "bootstrap resamples").argParser(countOption).default(10_000))
    .addOption(new Option("--seed <n>", "seed of the bootstrap").argParser(integerOption).default(7));
  return gateOptions(command, "mean_margin_gain>=0").action(
    async (files: string[], options: ReportOptions) => {
      const gates = reportGates(options.gate ?? []);
      await refuseOverwriting(
        [
          ...outputFiles("--out", options.out, REPORT_FILES),
          ...namedOutputs({ "--html": options.html }),
          ...gateFiles(options),
        ],
        files,
      );
      const log = createWarningLog(io);
      const { runs, scores } = await sortFiles(files);
      const index = await readScores(scores, log);
      const chosen = index && reportChannels(index, options, io);
      const protocol = chosen?.baseline.protocol;
      const html = await openHtml(options, index, chosen, files);
      const { summary, beside } = await measure(runs, index, protocol, options, html, log, io);
      const head = reportHead(summary, protocol);
      const { others, comparisons, audit, auditTooLarge } = beside ?? {};
      await html?.commit({
        channel: html.channelOf(summary, protocol, head.cautions),
        ...(others && {
          others: others.map((other) =>
            html.channelOf(
              other.summary,
              { ...other.channel.protocol, name: other.channel.name },
              other.summary.evaluatorKinds.flatMap((kind) => cautionOf(kind) ?? []),
            ),
          ),
        }),
        ...(comparisons && { comparisons }),
        ...(audit && { audit }),
        runFiles: runs,
        scoreFiles: scores,
      });
      if (options.out !== undefined) say(io, `wrote ${options.out}/summary.json, steps.jsonl and tables/`);
      if (options.html !== undefined) say(io, `wrote ${options.html}`);
      if (auditTooLarge !== undefined) {
        warn(
          io,
          `the audit is not in the report: ${auditTooLarge} steps of all channels, ${AUDIT_STEPS} at most; asv audit makes it`,
        );
      }
      if (scores.length === 0 && summary.counts.steps > 0 && summary.counts.measured === 0) {
        warn(
          io,
          "the trajectories hold no scores, and no score file was given: score them (asv score FILE --out scores.jsonl) and name both files",
        );
      }
      if (summary.counts.unscored > 0) outcome.exitCode = EXIT.partial;
      const results = passReport(gates, summary);
      const cautions = [...head.cautions, ...summaryCautions(summary)];
      const measured = `${summary.counts.measured} of ${summary.counts.steps} steps measured in ${summary.counts.trajectories} trajectories with ${head.protocol}`;
      await finishGates("asv report", results, cautions, options, io, outcome, () =>
        reportMarkdown({ title: "ASV: step values", measured, cautions }, summary, results),
      );
      // Last: a reader that goes away ends the program, and must not take files or gates along.
      if (options.json) io.stdout.write(`${JSON.stringify(summaryJson(summary, protocol))}\n`);
      else io.stdout.write(terminalReport(summary, head));
    },
  );
}

/** The protocol a report is about and, for an HTML report, those beside it. */
function reportChannels(index: ScoreIndex, { protocol, html }: ReportOptions, io: Io): ChosenChannels {
  const all = namedChannels(index);
  if (html === undefined || all.length === 1) {
    const only = chooseProtocol(index, protocol);
    return {
      baseline: all.find((channel) => channel.protocol.protocolId === only.protocolId)!,
      channels: [],
    };
  }
  const chosen = chooseChannels(index, { baseline: protocol });
  if (protocol === undefined) {
    const names = chosen.channels.map(({ name }) => printable(name)).join(", ");
    say(
      io,
      `the report is about ${printable(chosen.baseline.name)}, compared with ${names}; --protocol chooses another`,
    );
  }
  return chosen;
}

/** The HTML report with the code that writes it, loaded for those who want one. */
interface OpenHtml {
  file: HtmlFile;
  channels: ChannelMeasuring | undefined;
  channelOf: typeof import("../html/index.ts").reportChannel;
  commit(report: HtmlReport): Promise<void>;
}

async function openHtml(
  { html, seed, resamples }: ReportOptions,
  index: ScoreIndex | undefined,
  chosen: ChosenChannels | undefined,
  inputs: readonly string[],
): Promise<OpenHtml | undefined> {
  if (html === undefined) return undefined;
  const { openHtmlFile, reportChannel } = await import("../html/index.ts");
  const file = await openHtmlFile(html, inputs, { seed });
  return {
    file,
    channels:
      index && chosen && measureChannels(index, chosen.baseline, chosen.channels, { resamples, seed }),
    channelOf: reportChannel,
    commit: (report) => file.commit(report),
  };
}

async function measure(
  runs: readonly string[],
  index: ScoreIndex | undefined,
  protocol: IndexedProtocol | undefined,
  options: ReportOptions,
  html: OpenHtml | undefined,
  log: WarningLog,
  io: Io,
): Promise<{ summary: Summary; beside: ReturnType<ChannelMeasuring["finish"]> | undefined }> {
  const files = options.out === undefined ? undefined : await openReportFiles(options.out);
  const summarizer = createSummarizer({ resamples: options.resamples, seed: options.seed });
  const labels = harmfulLabels(options.labels);
  const settings = { protocolId: protocol?.protocolId, ...(html && PROBES) };
  try {
    for await (const trajectory of readRuns(runs, log)) {
      const steps = diagnoseTrajectory(trajectory, index ?? "provided", settings);
      for (const step of steps) summarizer.add(labels.counted(step));
      html?.file.add({ trajectory, steps, others: html.channels?.add(trajectory, steps) ?? [] });
      await files?.addTrajectory(trajectoryRow(trajectory.trajectoryId, trajectory.status, steps), steps);
    }
    const summary = summarizer.finish();
    const beside = html?.channels?.finish();
    await files?.commit(summaryJson(summary, protocol), summary.stepTypes);
    for (const missing of labels.missing()) warn(io, missing);
    return { summary, beside };
  } catch (error) {
    await files?.abort();
    await html?.file.abort();
    throw error;
  }
}
