import {
  defineProtocol,
  encodeScoreFileRecord,
  parseMappings,
  parseProtocolName,
  planScoring,
  type MappingDesign,
  type PriceTable,
  type ScoreBudget,
  type ScoreOutcome,
  type ScorePlan,
  type ScoringPlanOptions,
} from "@agent-step-value/sdk";
import { fileCache, memoryCache, score, TOKEN_ESTIMATE } from "@agent-step-value/sdk/score";
import { Command, Option } from "commander";
import { EXIT, type Outcome } from "../exit-code.ts";
import { say, type Io } from "../io.ts";
import { amountOption, countOption, shardOption } from "../options.ts";
import { createEvaluator, EVALUATOR_NAMES } from "../records/evaluators.ts";
import { createInterrupt } from "../records/interrupt.ts";
import { readPrices } from "../records/prices.ts";
import { createWarningLog, readRuns } from "../records/read-input.ts";
import { openScoreOutput } from "../records/score-output.ts";
import { createProgress } from "../terminal/progress.ts";

interface ScoreCommandOptions {
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
  json?: boolean;
  quiet?: boolean;
}

/** `asv score FILE...`: an evaluator scores every candidate in every frozen state. */
export function scoreCommand(io: Io, outcome: Outcome): Command {
  return new Command("score")
    .description("score the candidates of every frozen state; resumable, and repeatable without a new call")
    .argument("<files...>", "trajectory files, - for standard input")
    .option("--evaluator <name>", `what scores the states: ${EVALUATOR_NAMES.join(", ")}`, "lexical")
    .option(
      "--protocol <name>",
      "direct, rationale-128, rationale-512, extractive or candidate-only, with an optional @slice",
      "direct",
    )
    .option("--mappings <design>", "label mappings: fixed, or balanced:B")
    .option("-o, --out <file>", "score file to write; standard output without it")
    .option("--cache <dir>", "where replies are kept between runs", ".asv-cache")
    .option("--no-cache", "keep no replies")
    .option("--dry-run", "print the exact number of calls and stop before the first")
    .option(
      "--allow-unreviewed",
      "score candidate sets that nobody froze; every number then carries the flag",
    )
    .addOption(new Option("--concurrency <n>", "evaluator calls at a time").argParser(countOption).default(4))
    .addOption(
      new Option("--max-calls <n>", "stop cleanly before more evaluator calls than this").argParser(
        amountOption,
      ),
    )
    .addOption(
      new Option("--max-tokens <n>", "stop cleanly before more tokens than this").argParser(amountOption),
    )
    .addOption(
      new Option("--max-usd <amount>", "stop cleanly before more money than this; needs --prices").argParser(
        amountOption,
      ),
    )
    .option(
      "--prices <file>",
      "JSON with promptPerMillion, completionPerMillion and cachedPromptPerMillion in USD",
    )
    .addOption(new Option("--shard <i/n>", "only part i of n, counted from 1").argParser(shardOption))
    .option("--json", "print the outcome as JSON on standard output (needs --out unless --dry-run)")
    .action(async (files: string[], options: ScoreCommandOptions) => {
      const plan = await planOptions(options);
      try {
        if (options.dryRun) await dryRun(files, options, plan, io);
        else await scoreFiles(files, options, plan, io, outcome);
      } finally {
        await plan.cache?.close();
      }
    });
}

async function planOptions(options: ScoreCommandOptions): Promise<ScoringPlanOptions> {
  const evaluator = createEvaluator(options.evaluator);
  const preset = parseProtocolName(options.protocol);
  const mappings: MappingDesign =
    options.mappings === undefined ? preset.mappings : parseMappings(options.mappings);
  return {
    evaluator,
    protocol: defineProtocol({ ...preset, mappings, evaluator: evaluator.settings }),
    cache: options.cache === false ? memoryCache() : fileCache(options.cache),
    allowUnreviewed: options.allowUnreviewed ?? false,
    ...(options.shard !== undefined && { shard: options.shard }),
  };
}

async function dryRun(
  files: string[],
  options: ScoreCommandOptions,
  plan: ScoringPlanOptions,
  io: Io,
): Promise<void> {
  const found = await planScoring(readRuns(files, createWarningLog(io)), plan);
  io.stdout.write(options.json ? `${JSON.stringify(found)}\n` : describePlan(found, plan));
}

function describePlan(plan: ScorePlan, { protocol }: ScoringPlanOptions): string {
  return [
    `dry run of ${protocol.name} (${protocol.id}): nothing was called`,
    `  ${plan.trajectories} trajectories, ${plan.states} states, ${plan.records} score records`,
    `  ${plan.scoredCalls} scored calls, ${plan.rationaleCalls} rationale calls, ${plan.cacheHits} replies already there`,
    `  ${plan.promptChars} prompt characters, about ${plan.promptTokens} tokens (${TOKEN_ESTIMATE}), at most ${plan.completionTokens} written`,
    "",
  ].join("\n");
}

async function scoreFiles(
  files: string[],
  options: ScoreCommandOptions,
  plan: ScoringPlanOptions,
  io: Io,
  outcome: Outcome,
): Promise<void> {
  const budget = await budgetOf(options);
  const output = await openScoreOutput(options.out);
  const progress = createProgress("score", io.stderr, io.quiet);
  const interrupt = createInterrupt();
  let result: ScoreOutcome | undefined;
  try {
    const records = score(readRuns(files, createWarningLog(io)), {
      ...plan,
      budget,
      concurrency: options.concurrency,
      signal: interrupt.signal,
      onProgress: ({ done, total, calls, cacheHits, tokens }) =>
        progress.update(done, total, `${calls} calls, ${cacheHits} from cache, ${tokens} tokens`),
      onEnd: (end) => (result = end),
    });
    for await (const record of records) await output.write(encodeScoreFileRecord(record));
    await output.commit(result?.stoppedBy === undefined);
  } catch (error) {
    await output.abort();
    throw error;
  } finally {
    progress.stop();
    interrupt.release();
  }
  if (result === undefined) return;
  outcome.exitCode = exitCodeOf(result);
  if (options.json && options.out !== undefined) io.stdout.write(`${JSON.stringify(result)}\n`);
  else say(io, describeOutcome(result, plan, options.out));
  if (result.stoppedBy !== undefined) say(io, `resume with: ${resumeCommand(files, options)}`);
}

async function budgetOf({ maxCalls, maxTokens, maxUsd, prices }: ScoreCommandOptions): Promise<ScoreBudget> {
  const priceTable: PriceTable | undefined = prices === undefined ? undefined : await readPrices(prices);
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

function describeOutcome(
  result: ScoreOutcome,
  { protocol }: ScoringPlanOptions,
  out: string | undefined,
): string {
  const unscored = result.unscored > 0 ? `, ${result.unscored} unscored` : "";
  const money = result.usd === undefined ? "" : `, ${result.usd.toFixed(4)} USD`;
  const where = out === undefined || out === "-" ? "" : ` -> ${out}`;
  const stopped = result.stoppedBy === undefined ? "scored" : `stopped by ${result.stoppedBy}: scored`;
  return (
    `${stopped} ${result.states} states under ${protocol.name} (${protocol.id}): ` +
    `${result.scored} scores${unscored}, ${result.calls} evaluator calls, ${result.cacheHits} from cache${money}${where}`
  );
}

/** The same command again: what is in the cache is not asked twice. */
function resumeCommand(files: string[], options: ScoreCommandOptions): string {
  const words = ["asv", "score", ...files, "--evaluator", options.evaluator, "--protocol", options.protocol];
  if (options.mappings !== undefined) words.push("--mappings", options.mappings);
  if (options.cache !== false) words.push("--cache", options.cache);
  if (options.shard !== undefined) words.push("--shard", `${options.shard.index + 1}/${options.shard.count}`);
  if (options.allowUnreviewed) words.push("--allow-unreviewed");
  if (options.out !== undefined) words.push("--out", options.out);
  return words
    .map((word) => (/^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
}
