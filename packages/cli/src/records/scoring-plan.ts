import {
  decodeScoreFileRecord,
  defineProtocol,
  parseMappings,
  parseProtocolName,
  rationaleSource,
  type Protocol,
  type RationaleSource,
} from "@agent-step-value/sdk";
import { readRecords } from "@agent-step-value/sdk/jsonl";
import { fileCache, type ScoreCache, type ScoringPlanOptions } from "@agent-step-value/sdk/score";
import { Option, type Command } from "commander";
import { shardOption } from "../options.ts";
import { createEvaluator } from "./evaluators.ts";
import { addModelCallOptions, type ModelCallOptions } from "./model-options.ts";
import type { WarningLog } from "./read-input.ts";

/** Options that decide which calls a scoring run makes; an export and an import must be given the same. */
export interface ScoringPlanArguments extends ModelCallOptions {
  evaluator: string;
  protocol: string;
  mappings?: string;
  cache: string;
  allowUnreviewed?: boolean;
  shard?: { index: number; count: number };
  swappedFrom?: string;
}

/** Adds these options to a command that makes no call of its own. */
export function addScoringPlanOptions(command: Command): Command {
  command
    .option("--evaluator <name>", "what will score the states", "openai")
    .option("--protocol <name>", "channel, as asv score takes it", "direct")
    .option("--mappings <design>", "label mappings: fixed, or balanced:B")
    .option("--cache <dir>", "where replies are kept", ".asv-cache")
    .option("--allow-unreviewed", "take candidate sets that nobody froze")
    .option("--swapped-from <file>", "score file whose rationales the swapped buffer takes")
    .addOption(new Option("--shard <i/n>", "only part i of n, counted from 1").argParser(shardOption));
  return addModelCallOptions(command);
}

/** The plan of these options. Nothing will be sent, so no key is needed. The caller closes the cache. */
export async function scoringPlan(
  options: ScoringPlanArguments,
  log: WarningLog,
): Promise<ScoringPlanOptions & { cache: ScoreCache }> {
  const evaluator = await createEvaluator(options.evaluator, { ...options, dryRun: true });
  const preset = parseProtocolName(options.protocol);
  const mappings = options.mappings === undefined ? preset.mappings : parseMappings(options.mappings);
  const protocol = defineProtocol({ ...preset, mappings, evaluator: evaluator.settings });
  const { swappedFrom, shard, allowUnreviewed = false } = options;
  return {
    evaluator,
    protocol,
    allowUnreviewed,
    ...(swappedFrom !== undefined && { rationales: await readRationales(swappedFrom, protocol, log) }),
    ...(shard !== undefined && { shard }),
    cache: fileCache(options.cache),
  };
}

/** The rationales of a score file, for a protocol with the swapped buffer. */
export function readRationales(file: string, protocol: Protocol, log: WarningLog): Promise<RationaleSource> {
  return rationaleSource(readRecords(file, decodeScoreFileRecord, log), protocol);
}
