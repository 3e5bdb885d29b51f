import type { JsonValue, TokenUsage } from "../schema/index.ts";
import type { CallLimiter } from "./call-limiter.ts";
import { failureReason } from "./failure-reason.ts";
import type { Ledger, Ticket } from "./score-budget.ts";
import type { ScoreCache } from "./score-cache.ts";
import type { CallTokens } from "./token-estimate.ts";

/** A reply, or why there is none. */
export type Answer = { ok: true; value: JsonValue } | { ok: false; reason: string };

/** Where a reply will come from, settled in order before any waiting starts. */
export type Claim =
  | { from: "cache"; value: JsonValue }
  | { from: "same_call"; answer: Promise<Answer> }
  | { from: "evaluator"; key: string; scope: AnswerScope; ticket: Ticket; settle: (answer: Answer) => void }
  | { from: "nowhere"; reason: string };

/** Within a scope an equal key is asked once. One a run with a cache, otherwise one a trajectory. */
export interface AnswerScope {
  readonly cache: ScoreCache;
  /** Keys looked up or asked right now. */
  readonly pending: Map<string, Promise<Answer>>;
  /** By rationale key: the end of the first state that waits for that rationale. */
  readonly firstUnits: Map<string, Promise<unknown>>;
}

/** How one reply is fetched. */
export interface Fetch {
  call: () => Promise<JsonValue>;
  usage: (value: JsonValue) => TokenUsage | undefined;
  /** Throws for a reply that must not be kept. */
  check: (value: JsonValue) => void;
}

/** Decides where replies come from and fetches them: cache, an equal call on its way, or the evaluator. */
export interface AnswerDesk {
  /**
   * Called in the order of the work, so that which calls a budget still allows does not depend on
   * how fast others answer.
   *
   * @param reserved a ticket taken before the key was known
   */
  claim(scope: AnswerScope, key: string, estimate: CallTokens, reserved?: Ticket): Promise<Claim>;
  answer(claim: Claim, fetch: Fetch): Promise<Answer>;
  /** Replies that came without a call. */
  readonly hits: number;
}

/**
 * @param ends which failures end the run instead of leaving a record
 * @param end told of such a failure at once
 */
export function createAnswerDesk(
  ledger: Ledger,
  limiter: CallLimiter,
  signal: AbortSignal,
  ends: (error: unknown) => boolean,
  end: (error: unknown) => void,
): AnswerDesk {
  let hits = 0;
  /** Ends the run from inside the failing call, before its place is given to the next one. */
  const endIfFatal = (error: unknown): never => {
    if (!signal.aborted && ends(error)) end(error);
    throw error;
  };

  const ask = async (claim: Extract<Claim, { from: "evaluator" }>, fetch: Fetch): Promise<Answer> => {
    let answer: Answer = { ok: false, reason: "interrupted" };
    try {
      const value = await limiter.run(async () => {
        const reply = await called(fetch, claim.ticket).catch(endIfFatal);
        fetch.check(reply);
        // Kept before its place goes to the next call: a kill repeats the calls under way and no other.
        await claim.scope.cache.put(claim.key, reply);
        return reply;
      });
      answer = { ok: true, value };
    } catch (error) {
      answer = { ok: false, reason: failureReason(error) };
      if (signal.aborted || ends(error)) throw error;
    } finally {
      claim.settle(answer);
    }
    return answer;
  };

  return {
    get hits() {
      return hits;
    },
    async claim(scope, key, estimate, reserved) {
      const same = scope.pending.get(key);
      if (same !== undefined) {
        reserved?.release();
        return { from: "same_call", answer: same };
      }
      // Registered before the cache is read: between lookup and call nobody can slip in.
      const settle = register(scope, key);
      const value = await scope.cache.get(key).catch((error: unknown) => {
        settle({ ok: false, reason: failureReason(error) });
        throw error;
      });
      if (value !== undefined) {
        reserved?.release();
        settle({ ok: true, value });
        return { from: "cache", value };
      }
      const ticket = reserved ?? ledger.reserve(estimate);
      if (ticket !== undefined) return { from: "evaluator", key, scope, ticket, settle };
      const reason = budgetReason(ledger);
      settle({ ok: false, reason });
      return { from: "nowhere", reason };
    },
    async answer(claim, fetch) {
      if (claim.from === "evaluator") return ask(claim, fetch);
      if (claim.from === "nowhere") return { ok: false, reason: claim.reason };
      const answer = claim.from === "cache" ? { ok: true as const, value: claim.value } : await claim.answer;
      if (answer.ok) hits++;
      return answer;
    },
  };
}

/** Why a call was not made once a limit is reached. */
export function budgetReason(ledger: Ledger): string {
  return `budget_reached: ${ledger.reached ?? "limit"}`;
}

async function called(fetch: Fetch, ticket: Ticket): Promise<JsonValue> {
  let value: JsonValue;
  try {
    value = await fetch.call();
  } catch (error) {
    ticket.fail();
    throw error;
  }
  ticket.spend(fetch.usage(value));
  return value;
}

function register(scope: AnswerScope, key: string): (answer: Answer) => void {
  let resolve!: (answer: Answer) => void;
  scope.pending.set(key, new Promise<Answer>((done) => (resolve = done)));
  return (answer) => {
    scope.pending.delete(key);
    resolve(answer);
  };
}
