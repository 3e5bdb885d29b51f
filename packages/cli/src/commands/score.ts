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
import { Command } from "commander";
import { EXIT, type Outcome } from "../exit-code.ts";
import { say, warn, type Io } from "../io.ts";
import { createEvaluator, describeEvaluators, isCounted, isRemote } from "../records/evaluators.ts";
import { createInterrupt } from "../records/interrupt.ts";
import { disposeOf } from "../records/llama-cpp.ts";
import { readPrices } from "../records/prices.ts";
import { createWarningLog, readRuns, type WarningLog } from "../records/read-input.ts";
import { createReplyWatch } from "../records/reply-watch.ts";
import { openScoreOutput } from "../records/score-output.ts";
import { readRationales } from "../records/scoring-plan.ts";
import { namedOutputs, refuseOverwriting } from "../report/refuse-overwriting.ts";
import { createScoreProgress } from "../terminal/score-progress.ts";
import { addScoreOptions, type ScoreArguments } from "./score-arguments.ts";
import { describeOutcome, describePlan, planUsd, resumeAdvice } from "./score-text.ts";

/** `asv score FILE...`: an evaluator scores every candidate in every frozen state. */
export function scoreCommand(io: Io, outcome: Outcome): Command {
  return addScoreOptions(new Command("score"))
    .description("score the candidates of every frozen state; resumable, and repeatable without a new call")
    .argument("[files...]", "trajectory files, - for standard input")
    .action(async (files: string[], options: ScoreArguments) => {
      if (options.evaluator === "list") return void io.stdout.write(describeEvaluators());
      if (files.length === 0)
        throw new AsvError("invalid_argument", "Which trajectories? Name a file, or - for standard input.");
      const { out, swappedFrom, prices, capabilities } = options;
      const beside = [swappedFrom, prices, capabilities].filter((file) => file !== undefined);
      await refuseOverwriting(namedOutputs({ "--out": out }), [...files, ...beside]);
      await runScore(files, options, io, outcome);
    });
}

async function runScore(files: string[], options: ScoreArguments, io: Io, outcome: Outcome): Promise<void> {
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
  options: ScoreArguments,
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
  options: ScoreArguments,
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
  options: ScoreArguments;
  plan: ScoringPlanOptions;
  prices: PriceTable | undefined;
  progress: ReturnType<typeof createScoreProgress>;
  io: Io;
  outcome: Outcome;
}

async function scoreFiles(run: ScoreRun): Promise<void> {
  const { files, options, plan, progress, io } = run;
  if (options.json === true && (options.out ?? "-") === "-") {
    throw new AsvError(
      "invalid_argument",
      "--json prints the outcome on standard output; give --out FILE for the records.",
    );
  }
  const total = await countRecords(run);
  const output = await openScoreOutput(options.out);
  const interrupt = createInterrupt();
  const watch = createReplyWatch(plan.evaluator.settings.model);
  let result: ScoreOutcome | undefined;
  let place: string | undefined;
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
    place = await output.commit(result?.stoppedBy === undefined);
  } catch (error) {
    await output.abort();
    if (AsvError.isInstance(error) && error.code === "evaluator_failed")
      say(io, resumeAdvice(files, options));
    throw error;
  } finally {
    progress.stop();
    interrupt.release();
  }
  if (result === undefined) return;
  run.outcome.exitCode = exitCodeOf(result);
  if (isRemote(options.evaluator)) for (const doubt of watch.warnings()) warn(io, doubt);
  if (options.json === true && options.out !== undefined) io.stdout.write(`${JSON.stringify(result)}\n`);
  else say(io, describeOutcome(result, plan, place, watch.reasons()));
  if (place !== (options.out ?? "-"))
    warn(io, `${options.out} holds more, or another run, and was left as it was`);
  if (result.stoppedBy !== undefined) say(io, resumeAdvice(files, options));
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
  { maxCalls, maxTokens, maxUsd }: ScoreArguments,
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
