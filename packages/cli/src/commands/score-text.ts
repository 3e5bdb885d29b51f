import type { PriceTable, ScoreOutcome, ScorePlan, ScoringPlanOptions } from "@agent-step-value/sdk";
import { TOKEN_ESTIMATE } from "@agent-step-value/sdk/score";
import { modelWords } from "../records/model-options.ts";
import type { ScoreArguments } from "./score-arguments.ts";

/** Cost of a plan before anything was sent, in USD. */
export function planUsd(plan: ScorePlan, prices: PriceTable): number {
  return (
    (plan.promptTokens * prices.promptPerMillion + plan.completionTokens * prices.completionPerMillion) / 1e6
  );
}

export function describePlan(
  plan: ScorePlan,
  { protocol }: ScoringPlanOptions,
  usd: number | undefined,
): string {
  return [
    `dry run of ${protocol.name} (${protocol.id}): nothing was called`,
    `  ${plan.trajectories} trajectories, ${plan.states} states, ${plan.records} score records`,
    `  ${plan.scoredCalls} scored calls, ${plan.rationaleCalls} rationale calls, ${plan.cacheHits} replies already there`,
    `  ${plan.promptChars} prompt characters, about ${plan.promptTokens} tokens (${TOKEN_ESTIMATE}), at most ${plan.completionTokens} written`,
    ...(usd === undefined
      ? []
      : [`  about ${usd.toFixed(4)} USD at the given prices, without any cache discount`]),
    "",
  ].join("\n");
}

export function describeOutcome(
  result: ScoreOutcome,
  { protocol }: ScoringPlanOptions,
  out: string | undefined,
  reasons: string,
): string {
  const why = reasons === "" ? "" : ` because of ${reasons}`;
  const unscored = result.unscored > 0 ? `, ${result.unscored} unscored${why}` : "";
  const { prompt, completion, cached } = result.tokens;
  const tokens = prompt + completion === 0 ? "" : `, ${prompt} + ${completion} tokens (${cached} cached)`;
  const money = result.usd === undefined ? "" : `, ${result.usd.toFixed(4)} USD`;
  const where = out === undefined || out === "-" ? "" : ` -> ${out}`;
  const stopped = result.stoppedBy === undefined ? "scored" : `stopped by ${result.stoppedBy}: scored`;
  return (
    `${stopped} ${result.states} states under ${protocol.name} (${protocol.id}): ` +
    `${result.scored} scores${unscored}, ${result.calls} evaluator calls, ${result.cacheHits} from cache${tokens}${money}${where}`
  );
}

/** How to go on after a stop. */
export function resumeAdvice(files: readonly string[], options: ScoreArguments): string {
  if (options.cache === false) return "nothing was kept (--no-cache): the same command starts again";
  const again = files.includes("-") ? " (with the same standard input)" : "";
  return `what was answered is kept; resume with: ${resumeCommand(files, options)}${again}`;
}

/** The same command again: what is in the cache is not asked twice. The key stays in the environment. */
function resumeCommand(files: readonly string[], options: ScoreArguments): string {
  const words = [
    "npx",
    "asv",
    "score",
    ...files.map(asPath),
    "--evaluator",
    options.evaluator,
    ...modelWords(options),
  ];
  const add = (name: string, value: string | number | undefined) => {
    if (value !== undefined) words.push(name, String(value));
  };
  add("--protocol", options.protocol);
  add("--mappings", options.mappings);
  add("--swapped-from", options.swappedFrom);
  add("--concurrency", options.concurrency);
  add("--max-calls", options.maxCalls);
  add("--max-tokens", options.maxTokens);
  add("--max-usd", options.maxUsd);
  add("--prices", options.prices);
  if (options.cache !== false) add("--cache", options.cache);
  if (options.shard !== undefined) add("--shard", `${options.shard.index + 1}/${options.shard.count}`);
  if (options.allowUnreviewed === true) words.push("--allow-unreviewed");
  add("--out", options.out);
  return words
    .map((word) => (/^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
}

/** A file name that no parser takes for an option. */
function asPath(file: string): string {
  return file.startsWith("-") && file !== "-" ? `./${file}` : file;
}
