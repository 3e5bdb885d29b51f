import {
  AsvError,
  auditChannels,
  diagnoseTrajectory,
  type AttributionAudit,
  type AuditSample,
  type DiagnosedStep,
  type ScoreIndex,
  type Slice,
  type Trajectory,
} from "@agent-step-value/sdk";
import { Command, Option } from "commander";
import { AUDIT_FILES, auditJson, writeAuditFiles } from "../compare/audit-files.ts";
import { auditText } from "../compare/audit-text.ts";
import { chooseAudit, namedChannels, type AuditChoice, type Channel } from "../compare/choose-channels.ts";
import { CUE_FILES, listCues, readBuffers, refuseFilledCues, writeCueFiles } from "../compare/cue-files.ts";
import {
  createRobustness,
  PROBES,
  robustnessJson,
  robustnessText,
  withoutProbes,
  type RobustnessTally,
} from "../compare/robustness.ts";
import { EXIT, type Outcome } from "../exit-code.ts";
import { say, warn, type Io } from "../io.ts";
import { countOption, folderOption, integerOption } from "../options.ts";
import { cautionOf } from "../records/evaluators.ts";
import { createWarningLog, readRuns, type WarningLog } from "../records/read-input.ts";
import { readScoresOrRefuse, sortFiles } from "../records/score-files.ts";
import { outputFiles, refuseOverwriting } from "../report/refuse-overwriting.ts";

const SLICES: readonly Slice[] = ["full", "evidence", "agent-output", "none"];
const SAMPLES: Readonly<Record<string, AuditSample>> = {
  clean: "clean",
  "largest-gap": "largest_gap",
  random: "random",
};

interface AuditCommandOptions {
  baseline?: string;
  contrast?: string;
  sample?: string[];
  size: number;
  perTrajectory: number;
  sampleSeed: number;
  out?: string;
  cues?: boolean;
  json?: boolean;
  resamples: number;
  seed: number;
}

/** `asv audit FILE...`: which part of the measuring channel carries a difference. */
export function auditCommand(io: Io, outcome: Outcome): Command {
  return new Command("audit")
    .description("the attribution audit: the same transitions through every channel, each held against one")
    .argument("<files...>", "trajectory files and score files of two or more protocols, in any order")
    .option("--baseline <channel>", "channel that gaps are taken against (default direct)")
    .option("--contrast <channel>", "channel whose gap draws the sample (default rationale-128)")
    .addOption(
      new Option("--sample <kinds...>", "samples, a table each (default largest-gap random)").choices(
        Object.keys(SAMPLES),
      ),
    )
    .addOption(new Option("--size <n>", "transitions of a sample").argParser(countOption).default(100))
    .addOption(
      new Option("--per-trajectory <n>", "largest gaps taken of one trajectory")
        .argParser(countOption)
        .default(3),
    )
    .addOption(new Option("--sample-seed <n>", "seed of the samples").argParser(integerOption).default(7))
    .option("-o, --out <folder>", "write audit.json and tables/*.csv there", folderOption)
    .option(
      "--cues",
      "also write the cue-retention work list of the first sample to --out; it holds the targets",
    )
    .option("--json", "print the audit as JSON instead of text")
    .addOption(new Option("--resamples <n>", "bootstrap resamples").argParser(countOption).default(10_000))
    .addOption(new Option("--seed <n>", "seed of the bootstrap").argParser(integerOption).default(7))
    .action(async (files: string[], options: AuditCommandOptions) => {
      if (options.cues && options.out === undefined) {
        throw new AsvError("invalid_argument", "--cues writes files; give --out FOLDER for them.");
      }
      const names = options.cues ? [...AUDIT_FILES, ...CUE_FILES] : AUDIT_FILES;
      await refuseOverwriting(outputFiles("--out", options.out, names), files);
      if (options.cues && options.out !== undefined) await refuseFilledCues(options.out);
      const log = createWarningLog(io);
      const { runs, scores } = await sortFiles(files);
      const index = await readScoresOrRefuse(scores, log, "audit");
      const all = namedChannels(index);
      const choice = chooseAudit(all, options);
      const { measured, trajectories } = await measure(runs, index, all, options, log);
      const audit = auditChannels(
        measured.map(({ channel: { name, protocol }, steps }) => ({
          name,
          protocolId: protocol.protocolId,
          protocol: protocol.protocol,
          steps,
        })),
        auditOptions(options, choice),
      );
      const robustness = measured.map((one) => one.robustness.finish());
      const kinds = new Set(robustness.flatMap(({ summary }) => summary.evaluatorKinds));
      const cautions = [...kinds].flatMap((kind) => cautionOf(kind) ?? []);
      const json = auditJson(audit, cautions, robustnessJson(robustness));
      if (options.out !== undefined) {
        await writeAuditFiles(options.out, audit, json);
        say(io, `wrote ${options.out}/audit.json and tables/`);
        if (options.cues) await writeCues(options.out, audit, measured, trajectories, scores, log, io);
      }
      if (robustness.some(({ summary }) => summary.counts.unscored > 0)) outcome.exitCode = EXIT.partial;
      if (options.json) io.stdout.write(`${JSON.stringify(json)}\n`);
      else {
        io.stdout.write(cautions.map((caution) => `caution: ${caution}\n`).join(""));
        io.stdout.write(`${auditText(audit)}\n${robustnessText(robustness)}`);
      }
    });
}

function auditOptions({ sample, ...options }: AuditCommandOptions, choice: AuditChoice) {
  return {
    ...choice,
    ...(sample !== undefined && { samples: [...new Set(sample)].map((kind) => SAMPLES[kind]!) }),
    size: options.size,
    perTrajectory: options.perTrajectory,
    sampleSeed: options.sampleSeed,
    resamples: options.resamples,
    seed: options.seed,
  };
}

interface MeasuredChannel {
  channel: Channel;
  /** Without their probes, which are most of a step and which robustness has counted. */
  steps: DiagnosedStep[];
  robustness: RobustnessTally;
}

/** Every channel's steps. Trajectories are kept only where the work list will need their states. */
async function measure(
  runs: readonly string[],
  index: ScoreIndex,
  channels: readonly Channel[],
  { cues = false }: AuditCommandOptions,
  log: WarningLog,
): Promise<{ measured: MeasuredChannel[]; trajectories: Map<string, Trajectory> }> {
  const measured = channels.map((channel): MeasuredChannel => ({
    channel,
    steps: [],
    robustness: createRobustness(channel.name),
  }));
  const trajectories = new Map<string, Trajectory>();
  for await (const trajectory of readRuns(runs, log)) {
    for (const { channel, steps, robustness } of measured) {
      const { protocolId } = channel.protocol;
      for (const step of diagnoseTrajectory(trajectory, index, { protocolId, ...PROBES })) {
        robustness.add(step);
        steps.push(withoutProbes(step));
      }
    }
    if (cues) trajectories.set(trajectory.trajectoryId, trajectory);
  }
  return { measured, trajectories };
}

async function writeCues(
  folder: string,
  audit: AttributionAudit,
  measured: readonly MeasuredChannel[],
  trajectories: ReadonlyMap<string, Trajectory>,
  scores: readonly string[],
  log: WarningLog,
  io: Io,
): Promise<void> {
  const { steps } = measured.find(({ channel }) => channel.name === audit.contrast)!;
  const { rows = [], steps: selected = [] } = audit.tables[0] ?? {};
  const shown = rows.find(({ channel }) => channel === audit.contrast)?.slice;
  const slice = SLICES.find((known) => known === shown) ?? "full";
  const list = listCues(selected, trajectories, steps, await readBuffers(scores, log), slice);
  await writeCueFiles(folder, list);
  say(
    io,
    `wrote ${folder}/cues.csv to fill in and cues.jsonl (${list.rows.length} transitions, with their targets)`,
  );
  const reasons = new Map<string, number>();
  for (const { reason } of list.skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  for (const [reason, count] of reasons)
    warn(io, `${count} selected transitions are not on the list: ${reason}`);
}
