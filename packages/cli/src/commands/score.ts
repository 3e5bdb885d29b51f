import {
  AsvError,
  defineProtocol,
  encodeScoreFileRecord,
  parseMappings,
  parseProtocolName,
  planScoring,
  type MappingDesign,
  type PriceTable,
  type ScoreBudget,
  type ScoreOutcome,
  type ScoringPlanOptions,
} from "@agent-step-value/sdk";
import { fileCache, memoryCache, score } from "@agent-step-value/sdk/score";
import { Command, Option } from "commander";
import { EXIT, type Outcome } from "../exit-code.ts";
import { say, warn, type Io } from "../io.ts";
import { amountOption, countOption, shardOption } from "../options.ts";
import {
  createEvaluator,
  describeEvaluators,
  EVALUATOR_NAMES,
  isCounted,
  isRemote,
} from "../records/evaluators.ts";
import { createInterrupt } from "../records/interrupt.ts";
import { disposeOf } from "../records/llama-cpp.ts";
import { addModelCallOptions, type ModelCallOptions } from "../records/model-options.ts";
import { readPrices } from "../records/prices.ts";
import { createWarningLog, readRuns, type WarningLog } from "../records/read-input.ts";
import { createReplyWatch } from "../records/reply-watch.ts";
import { openScoreOutput } from "../records/score-output.ts";
import { readRationales } from "../records/scoring-plan.ts";
import { createScoreProgress } from "../terminal/score-progress.ts";
import { describeOutcome, describePlan, planUsd, resumeCommand } from "./score-text.ts";

export interface ScoreCommandOptions extends ModelCallOptions {
  evaluator: string;
  protocol: string;
  mappings?: string;
  out?: string;
  cache: string | false;
  dryRun?: boolean;
  allowUnreviewed?: boolean;
  concurrency: number;
  maxCalls?: number;
  maxTokens?: number;
  maxUsd?: number;
  prices?: string;
  shard?: { index: number; count: number };
  swappedFrom?: string;
  json?: boolean;
}

/** `asv score FILE...`: an evaluator scores every candidate in every frozen state. */
export function scoreCommand(io: Io, outcome: Outcome): Command {
  const command = new Command("score")
    .description("score the candidates of every frozen state; resumable, and repeatable without a new call")
    .argument("[files...]", "trajectory files, - for standard input")
    .option(
      "--evaluator <name>",
      `what scores the states: ${EVALUATOR_NAMES.join(", ")}; list describes them`,
      "lexical",
    )
    .option(
      "--protocol <name>",
      "direct, rationale-128, rationale-512, extractive, swapped-128 or candidate-only, with an optional @slice",
      "direct",
    )
    .option("--mappings <design>", "label mappings: fixed, or balanced:B")
    .option("--swapped-from <file>", "score file whose rationales the swapped buffer takes")
    .option("-o, --out <file>", "score file to write; standard output without it")
    .option("--cache <dir>", "where replies are kept between runs", ".asv-cache")
    .option("--no-cache", "keep no replies")
    .option("--dry-run", "print the exact number of calls and stop before the first")
    .option(
      "--allow-unreviewed",
      "score candidate sets that nobody froze; every number then carries the flag",
    )
    .addOption(
      new Option("--concurrency <n>", "evaluator calls at a time").argParser(countOption).default(4),
    );
  addModelCallOptions(command);
  const limit = (flags: string, text: string) =>
    command.addOption(new Option(flags, text).argParser(amountOption));
  limit("--max-calls <n>", "stop cleanly before more evaluator calls than this");
  limit("--max-tokens <n>", "stop cleanly before more tokens than this");
  limit("--max-usd <amount>", "stop cleanly before more money than this; needs --prices");
  return command
    .option(
      "--prices <file>",
      "JSON with promptPerMillion, completionPerMillion and cachedPromptPerMillion in USD",
    )
    .addOption(new Option("--shard <i/n>", "only part i of n, counted from 1").argParser(shardOption))
    .option("--json", "print the outcome as JSON on standard output (needs --out unless --dry-run)")
    .action(async (files: string[], options: ScoreCommandOptions) => {
      if (options.evaluator === "list") return void io.stdout.write(describeEvaluators());
      if (files.length === 0)
        throw new AsvError("invalid_argument", "Which trajectories? Name a file, or - for standard input.");
      await runScore(files, options, io, outcome);
    });
}

async function runScore(
  files: string[],
  options: ScoreCommandOptions,
  io: Io,
  outcome: Outcome,
): Promise<void> {
  const progress = createScoreProgress(io);
  const plan = await planOptions(options, createWarningLog(io), (wait) => progress.wait(wait));
  try {
    const prices = options.prices === undefined ? undefined : await readPrices(options.prices);
    if (options.dryRun === true) await dryRun(files, options, plan, prices, io);
    else await scoreFiles({ files, options, plan, prices, progress, io, outcome });
  } finally {
    await plan.cache?.close();
    await disposeOf(plan.evaluator);
  }
}

async function planOptions(
  options: ScoreCommandOptions,
  log: WarningLog,
  onWait: (wait: { ms: number; reason: string }) => void,
): Promise<ScoringPlanOptions> {
  const evaluator = await createEvaluator(options.evaluator, { ...options, onWait });
  const preset = parseProtocolName(options.protocol);
  const mappings: MappingDesign =
    options.mappings === undefined ? preset.mappings : parseMappings(options.mappings);
  const protocol = defineProtocol({ ...preset, mappings, evaluator: evaluator.settings });
  const { swappedFrom } = options;
  return {
    evaluator,
    protocol,
    ...(swappedFrom !== undefined && { rationales: await readRationales(swappedFrom, protocol, log) }),
    cache: options.cache === false ? memoryCache() : fileCache(options.cache),
    allowUnreviewed: options.allowUnreviewed ?? false,
    ...(options.shard !== undefined && { shard: options.shard }),
  };
}

async function dryRun(
  files: string[],
  options: ScoreCommandOptions,
  plan: ScoringPlanOptions,
  prices: PriceTable | undefined,
  io: Io,
): Promise<void> {
  const found = await planScoring(readRuns(files, createWarningLog(io)), plan);
  const usd = prices === undefined ? undefined : planUsd(found, prices);
  const json = { ...found, ...(usd !== undefined && { usd }) };
  io.stdout.write(options.json === true ? `${JSON.stringify(json)}\n` : describePlan(found, plan, usd));
}

interface ScoreRun {
  files: string[];
  options: ScoreCommandOptions;
  plan: ScoringPlanOptions;
  prices: PriceTable | undefined;
  progress: ReturnType<typeof createScoreProgress>;
  io: Io;
  outcome: Outcome;
}

async function scoreFiles(run: ScoreRun): Promise<void> {
  const { files, options, plan, progress, io } = run;
  const total = await countRecords(run);
  const output = await openScoreOutput(options.out);
  const interrupt = createInterrupt();
  const watch = createReplyWatch(plan.evaluator.settings.model);
  let result: ScoreOutcome | undefined;
  try {
    const records = score(readRuns(files, createWarningLog(io)), {
      ...plan,
      budget: budgetOf(options, run.prices),
      concurrency: options.concurrency,
      signal: interrupt.signal,
      ...(total !== undefined && { total }),
      onProgress: (now) => progress.update(now),
      onEnd: (end) => (result = end),
    });
    for await (const record of records) {
      watch.see(record);
      await output.write(encodeScoreFileRecord(record));
    }
    await output.commit(result?.stoppedBy === undefined);
  } catch (error) {
    await output.abort();
    if (AsvError.isInstance(error) && error.code === "evaluator_failed")
      say(io, `what was answered is kept; resume with: ${resumeCommand(files, options)}`);
    throw error;
  } finally {
    progress.stop();
    interrupt.release();
  }
  if (result === undefined) return;
  run.outcome.exitCode = exitCodeOf(result);
  if (isRemote(options.evaluator)) for (const doubt of watch.warnings()) warn(io, doubt);
  if (options.json === true && options.out !== undefined) io.stdout.write(`${JSON.stringify(result)}\n`);
  else say(io, describeOutcome(result, plan, options.out, watch.reasons()));
  if (result.stoppedBy !== undefined) say(io, `resume with: ${resumeCommand(files, options)}`);
}

/**
 * Walks the input once before anything is paid for: what cannot be scored is refused at the start, and
 * the time left can be told. Standard input can be read only once.
 */
async function countRecords({ files, options, plan, io }: ScoreRun): Promise<number | undefined> {
  if (!isCounted(options.evaluator) || files.includes("-")) return undefined;
  // What is wrong with the input is told once, by the run itself.
  const log = { ...createWarningLog(io), onWarning: () => {} };
  return (await planScoring(readRuns(files, log), plan)).records;
}

function budgetOf(
  { maxCalls, maxTokens, maxUsd }: ScoreCommandOptions,
  priceTable: PriceTable | undefined,
): ScoreBudget {
  return {
    ...(maxCalls !== undefined && { maxCalls }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxUsd !== undefined && { maxUsd }),
    ...(priceTable !== undefined && { priceTable }),
  };
}

function exitCodeOf(result: ScoreOutcome): number {
  if (result.stoppedBy === "interrupted") return EXIT.interrupted;
  if (result.stoppedBy === "budget") return EXIT.budgetReached;
  return result.unscored > 0 ? EXIT.partial : EXIT.done;
}
