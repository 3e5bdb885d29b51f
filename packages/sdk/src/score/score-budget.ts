import { InvalidArgumentError } from "../errors/index.ts";
import type { TokenUsage } from "../schema/index.ts";
import type { CallTokens } from "./token-estimate.ts";

/** Prices in USD per million tokens. The toolkit ships none: they change, and differ by contract. */
export interface PriceTable {
  promptPerMillion: number;
  completionPerMillion: number;
  /** Price of prompt tokens read from the server's prefix cache. Default: the prompt price. */
  cachedPromptPerMillion?: number;
}

/** Limits that stop the evaluator calls of a run; none is set by default. */
export interface ScoreBudget {
  /** Scored and rationale calls together. */
  maxCalls?: number;
  /** Prompt and completion tokens together. */
  maxTokens?: number;
  /** Needs `priceTable`. */
  maxUsd?: number;
  priceTable?: PriceTable;
}

/** The right to make one call. Exactly one of its methods is called, once. */
export interface Ticket {
  /** The call was made and answered. */
  spend(usage: TokenUsage | undefined): void;
  /** The call was made and failed: it counts as a call, its tokens are not known. */
  fail(): void;
  /** The call turned out not to be needed. */
  release(): void;
}

/** What was spent so far. */
export interface Spending {
  calls: number;
  tokens: CallTokens;
  /** Answered calls whose evaluator reported no usage; their tokens are in no sum. */
  callsWithoutUsage: number;
  usd?: number;
}

/** Hands out tickets until a limit is reached; then none, however small. */
export interface Ledger {
  reserve(estimate: CallTokens): Ticket | undefined;
  /** The limit that was reached. */
  readonly reached: "max_calls" | "max_tokens" | "max_usd" | undefined;
  spending(): Spending;
}

/**
 * Budget of one run. A call is granted while calls made, calls granted and this one stay within
 * every limit, with estimates in place of tokens not yet reported; so tokens and money can be
 * overrun by what the estimates missed, and by no more.
 *
 * @throws InvalidArgumentError for a limit that is no positive number, or USD without prices
 */
export function createLedger(budget: ScoreBudget = {}): Ledger {
  const { maxCalls, maxTokens, maxUsd, priceTable } = checked(budget);
  const spent: CallTokens = { prompt: 0, completion: 0, cached: 0 };
  // What the limits are held against: reported tokens, or the estimate where none are reported yet.
  const held = { calls: 0, tokens: 0, usd: 0 };
  let made = 0;
  let withoutUsage = 0;
  let reached: Ledger["reached"];

  const hold = (sign: 1 | -1, tokens: CallTokens) => {
    held.tokens += sign * (tokens.prompt + tokens.completion);
    held.usd += sign * usdOf(tokens, priceTable);
  };
  const limitHit = (estimate: CallTokens): Ledger["reached"] => {
    if (maxCalls !== undefined && held.calls + 1 > maxCalls) return "max_calls";
    const tokens = estimate.prompt + estimate.completion;
    if (maxTokens !== undefined && held.tokens + tokens > maxTokens) return "max_tokens";
    if (maxUsd !== undefined && held.usd + usdOf(estimate, priceTable) > maxUsd) return "max_usd";
    return undefined;
  };
  return {
    get reached() {
      return reached;
    },
    reserve(estimate) {
      reached ??= limitHit(estimate);
      if (reached !== undefined) return undefined;
      held.calls++;
      hold(1, estimate);
      return {
        spend(usage) {
          made++;
          const tokens = tokensOf(usage);
          if (tokens === undefined) {
            withoutUsage++;
            return;
          }
          hold(-1, estimate);
          hold(1, tokens);
          spent.prompt += tokens.prompt;
          spent.completion += tokens.completion;
          spent.cached += tokens.cached;
        },
        fail() {
          made++;
          hold(-1, estimate);
        },
        release() {
          held.calls--;
          hold(-1, estimate);
        },
      };
    },
    spending: () => ({
      calls: made,
      tokens: { ...spent },
      callsWithoutUsage: withoutUsage,
      ...(priceTable !== undefined && { usd: usdOf(spent, priceTable) }),
    }),
  };
}

function tokensOf(usage: TokenUsage | undefined): CallTokens | undefined {
  if (usage?.promptTokens === undefined && usage?.completionTokens === undefined) return undefined;
  return {
    prompt: usage.promptTokens ?? 0,
    completion: usage.completionTokens ?? 0,
    cached: Math.min(usage.cachedTokens ?? 0, usage.promptTokens ?? 0),
  };
}

function usdOf({ prompt, completion, cached }: CallTokens, prices: PriceTable | undefined): number {
  if (prices === undefined) return 0;
  const cachedPrice = prices.cachedPromptPerMillion ?? prices.promptPerMillion;
  return (
    ((prompt - cached) * prices.promptPerMillion +
      cached * cachedPrice +
      completion * prices.completionPerMillion) /
    1e6
  );
}

function checked(budget: ScoreBudget): ScoreBudget {
  for (const name of ["maxCalls", "maxTokens", "maxUsd"] as const) {
    const limit = budget[name];
    if (limit !== undefined && !(limit >= 0))
      throw new InvalidArgumentError(`budget.${name}`, "a number, 0 or more", limit);
  }
  for (const [name, price] of Object.entries(budget.priceTable ?? {})) {
    if (!(Number.isFinite(price) && price >= 0)) {
      throw new InvalidArgumentError(`budget.priceTable.${name}`, "USD per million tokens, 0 or more", price);
    }
  }
  if (budget.maxUsd !== undefined && budget.priceTable === undefined) {
    throw new InvalidArgumentError(
      "budget.priceTable",
      "given with maxUsd, since no price is built in",
      undefined,
    );
  }
  return budget;
}
