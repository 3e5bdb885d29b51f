import {
  createComparer,
  diagnoseTrajectory,
  type ChannelComparison,
  type DiagnosedStep,
  type ScoreIndex,
  type Trajectory,
} from "@agent-step-value/sdk";
import { Command, Option } from "commander";
import { chooseChannels, type Channel, type ChosenChannels } from "../compare/choose-channels.ts";
import { COMPARISON_FILES, comparisonsJson, writeComparisonFiles } from "../compare/comparison-files.ts";
import { comparisonCautions, comparisonText } from "../compare/comparison-text.ts";
import { EXIT, type Outcome } from "../exit-code.ts";
import { comparisonGates, passComparisons } from "../gate/gates.ts";
import { finishGates, gateFiles, gateOptions, type GateOptions } from "../gate/gate-options.ts";
import { comparisonMarkdown } from "../gate/markdown.ts";
import { say, type Io } from "../io.ts";
import { countOption, folderOption, integerOption } from "../options.ts";
import { cautionOf } from "../records/evaluators.ts";
import { createWarningLog, readRuns } from "../records/read-input.ts";
import { readScoresOrRefuse, sortFiles } from "../records/score-files.ts";
import { outputFiles, refuseOverwriting } from "../report/refuse-overwriting.ts";

interface CompareCommandOptions extends GateOptions {
  baseline?: string;
  channel?: string[];
  out?: string;
  json?: boolean;
  resamples: number;
  seed: number;
}

/** `asv compare FILE...`: the same frozen transitions through two or more channels. */
export function compareCommand(io: Io, outcome: Outcome): Command {
  const command = new Command("compare")
    .description("what the measuring channel changes: signed effect, absolute effect, signs that disagree")
    .argument("<files...>", "trajectory files and score files of two or more protocols, in any order")
    .option(
      "--baseline <channel>",
      "id or name of the protocol that others are held against (default direct)",
    )
    .option("--channel <channels...>", "ids or names to compare; all other protocols without it")
    .option("-o, --out <folder>", "write comparisons.json and tables/*.csv there", folderOption)
    .option("--json", "print the comparisons as JSON instead of text")
    .addOption(new Option("--resamples <n>", "bootstrap resamples").argParser(countOption).default(10_000))
    .addOption(new Option("--seed <n>", "seed of the bootstrap").argParser(integerOption).default(7));
  return gateOptions(command, "signed_effect.low>=-1").action(
    async (files: string[], options: CompareCommandOptions) => {
      const gates = comparisonGates(options.gate ?? []);
      await refuseOverwriting(
        [...outputFiles("--out", options.out, COMPARISON_FILES), ...gateFiles(options)],
        files,
      );
      const log = createWarningLog(io);
      const { runs, scores } = await sortFiles(files);
      const index = await readScoresOrRefuse(scores, log, "compare");
      const chosen = chooseChannels(index, { baseline: options.baseline, channels: options.channel });
      const { comparisons, unscored } = await compare(readRuns(runs, log), index, chosen, options);
      const kinds = new Set(comparisons.flatMap(({ a, b }) => [...a.evaluatorKinds, ...b.evaluatorKinds]));
      const cautions = [...kinds].flatMap((kind) => cautionOf(kind) ?? []);
      if (options.out !== undefined) {
        await writeComparisonFiles(options.out, comparisons, cautions);
        say(io, `wrote ${options.out}/comparisons.json and tables/`);
      }
      if (unscored > 0) outcome.exitCode = EXIT.partial;
      const doubts = [...new Set([...cautions, ...comparisons.flatMap(comparisonCautions)])];
      const head = { title: "ASV: channels compared", cautions: doubts };
      const results = passComparisons(gates, comparisons);
      await finishGates("asv compare", results, doubts, options, io, outcome, () =>
        comparisonMarkdown(head, comparisons, results),
      );
      // Last: a reader that goes away ends the program, and must not take files or gates along.
      if (options.json) io.stdout.write(`${JSON.stringify(comparisonsJson(comparisons, cautions))}\n`);
      else {
        io.stdout.write(cautions.map((caution) => `caution: ${caution}\n`).join(""));
        io.stdout.write(comparisons.map(comparisonText).join("\n"));
      }
    },
  );
}

async function compare(
  runs: AsyncIterable<Trajectory>,
  index: ScoreIndex,
  { baseline, channels }: ChosenChannels,
  { resamples, seed }: CompareCommandOptions,
): Promise<{ comparisons: ChannelComparison[]; unscored: number }> {
  const describe = ({ name, protocol }: Channel) => ({ name, protocol: protocol.protocol });
  const comparers = channels.map((channel) => ({
    channel,
    comparer: createComparer(describe(channel), describe(baseline), { resamples, seed }),
  }));
  let unscored = 0;
  for await (const trajectory of runs) {
    const measured = new Map<Channel, DiagnosedStep[]>();
    for (const channel of new Set([baseline, ...channels])) {
      const steps = diagnoseTrajectory(trajectory, index, { protocolId: channel.protocol.protocolId });
      unscored += steps.filter(({ diagnostics }) => diagnostics === undefined).length;
      measured.set(channel, steps);
    }
    for (const { channel, comparer } of comparers)
      comparer.add(measured.get(channel)!, measured.get(baseline)!);
  }
  return { comparisons: comparers.map(({ comparer }) => comparer.finish()), unscored };
}
