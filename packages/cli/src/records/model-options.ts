import { readFile } from "node:fs/promises";
import { AsvError, isJsonObject, showValue, type JsonObject } from "@agent-step-value/sdk";
import type { CapabilityReport, ModelClientOptions } from "@agent-step-value/sdk/evaluators/openai";
import { Option, type Command } from "commander";
import { amountOption, countOption } from "../options.ts";

/** Where a model answers and how fast it may be asked, as command-line options. */
export interface ModelOptions {
  model?: string;
  baseUrl?: string;
  preset?: string;
  endpoint?: string;
  apiKeyEnv?: string;
  rpm?: number;
  tpm?: number;
  timeout?: number;
  attempts?: number;
}

/** How a model is asked, and what a probe said of it. */
export interface ModelCallOptions extends ModelOptions {
  topLogprobs?: number;
  temperature?: number;
  prefill?: string;
  body?: string;
  capabilities?: string;
  ignoreProbe?: boolean;
  /** Of a model in this process. */
  threads?: number;
  context?: number;
}

/** Options of every command that asks a model. */
export function addModelOptions(command: Command): Command {
  const number = (flags: string, text: string, parse: (text: string) => number) =>
    command.addOption(new Option(flags, text).argParser(parse));
  command
    .option("--model <name>", "model, as its server calls it; for llama-cpp a GGUF file")
    .option("--base-url <url>", "address of an OpenAI-compatible server, up to and with /v1")
    .option("--preset <name>", "what the provider needs; found by the address where it can be")
    .option("--endpoint <name>", "short name of the server for records and the protocol's id")
    .option("--api-key-env <name>", "environment variable that holds the key");
  number("--rpm <n>", "at most so many requests a minute", countOption);
  number("--tpm <n>", "at most so many tokens a minute", countOption);
  number("--timeout <seconds>", "for one answer (default 60)", amountOption);
  number("--attempts <n>", "tries at one call before it is given up (default 8)", countOption);
  return command;
}

/** Options of `score` and whatever else sends scored calls. */
export function addModelCallOptions(command: Command): Command {
  addModelOptions(command);
  return command
    .addOption(
      new Option(
        "--top-logprobs <n>",
        "entries of the top list (default 20, or the provider's most)",
      ).argParser(countOption),
    )
    .addOption(
      new Option(
        "--temperature <t>",
        "of scored calls (default 0 or 1, by what is known of the provider)",
      ).argParser(amountOption),
    )
    .option("--prefill <text>", "begins the answer, where the provider can go on from it")
    .option("--body <json>", "more fields for every call, for example a provider to pin")
    .option("--capabilities <file>", "what asv probe wrote; a failed probe is refused")
    .option("--ignore-probe", "score although the probe failed")
    .addOption(
      new Option("--threads <n>", "llama-cpp: threads that compute (default 1)").argParser(countOption),
    )
    .addOption(new Option("--context <n>", "llama-cpp: tokens of prompt and answer").argParser(countOption));
}

/** What stands where an option was given, in the words of a command line; never a key. */
export function modelWords(options: ModelCallOptions): string[] {
  const named: Record<string, string | number | undefined> = {
    "--model": options.model,
    "--base-url": options.baseUrl,
    "--preset": options.preset,
    "--endpoint": options.endpoint,
    "--api-key-env": options.apiKeyEnv,
    "--rpm": options.rpm,
    "--tpm": options.tpm,
    "--timeout": options.timeout,
    "--attempts": options.attempts,
    "--top-logprobs": options.topLogprobs,
    "--temperature": options.temperature,
    "--prefill": options.prefill,
    "--body": options.body,
    "--capabilities": options.capabilities,
    "--threads": options.threads,
    "--context": options.context,
  };
  const words = Object.entries(named).flatMap(([name, value]) =>
    value === undefined ? [] : [name, String(value)],
  );
  return options.ignoreProbe === true ? [...words, "--ignore-probe"] : words;
}

/** The entry of model evaluators; its package is only needed by who uses it. */
export async function loadModelEvaluators() {
  try {
    return await import("@agent-step-value/sdk/evaluators/openai");
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new AsvError(
      "incompatible_evaluator",
      'Model evaluators need the package "openai"; install it beside asv (npm install openai).',
      {},
    );
  }
}

/**
 * Client options with the key from the environment.
 *
 * A provider's usual variable is read only for the provider's own address, so that a key never goes to a
 * server it was not made for; for any other address the variable must be named.
 *
 * @param needsKey false for a run that sends nothing
 * @throws AsvError `invalid_argument` when model or key are missing
 */
export async function modelClientOptions(
  options: ModelOptions,
  needsKey: boolean,
): Promise<ModelClientOptions> {
  const { model, baseUrl, preset, endpoint, rpm, tpm, timeout, attempts } = options;
  if (model === undefined) throw new AsvError("invalid_argument", "A model evaluator needs --model NAME.");
  const { findProvider, modelBody } = await loadModelEvaluators();
  const provider = findProvider(preset, baseUrl);
  modelBody(provider.preset, model); // a model that cannot score is refused before a key is missed
  const own = provider.preset.hosts?.test(new URL(provider.baseUrl).hostname) === true;
  const variable = options.apiKeyEnv ?? (own ? provider.preset.apiKeyVariable : undefined);
  const apiKey = variable === undefined ? undefined : process.env[variable]?.trim();
  if (variable !== undefined && needsKey && (apiKey === undefined || apiKey === "")) {
    throw new AsvError(
      "invalid_argument",
      `The environment variable ${variable} holds no key; set it, or name another with --api-key-env.`,
      { variable },
    );
  }
  return {
    model,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(preset !== undefined && { preset }),
    ...(endpoint !== undefined && { endpoint }),
    ...(apiKey !== undefined && apiKey !== "" && { apiKey }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
    ...(attempts !== undefined && { maxAttempts: attempts }),
    limits: {
      ...(rpm !== undefined && { requestsPerMinute: rpm }),
      ...(tpm !== undefined && { tokensPerMinute: tpm }),
    },
  };
}

/** The JSON object of `--body`. */
export function bodyOption(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const json: unknown = JSON.parse(text);
    if (isJsonObject(json)) return json;
  } catch {
    // Said below.
  }
  throw new AsvError("invalid_argument", `--body must be a JSON object, got ${showValue(text)}.`);
}

/** The report of `--capabilities`. */
export async function readCapability(file: string): Promise<CapabilityReport> {
  const { parseCapability } = await loadModelEvaluators();
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new AsvError(
      "unreadable_source",
      `${file}: is no readable JSON file; asv probe writes one.`,
      { source: file },
      error,
    );
  }
  return parseCapability(json, file);
}
