import { Option, type Command } from "commander";
import { amountOption, countOption, recordsOption, shardOption } from "../options.ts";
import { EVALUATOR_NAMES } from "../records/evaluators.ts";
import { addModelCallOptions, type ModelCallOptions } from "../records/model-options.ts";

/** What `asv score` can be told. */
export interface ScoreArguments extends ModelCallOptions {
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

/** Adds the options of `asv score`. */
export function addScoreOptions(command: Command): Command {
  command
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
    .option("-o, --out <file>", "score file to write; standard output without it", recordsOption)
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
    .option("--json", "print the outcome as JSON on standard output (needs --out unless --dry-run)");
}
