import type { Spending } from "./score-budget.ts";

/** How far a run has come. */
export interface ScoreProgress {
  /** Score and unscored records written so far, of `total` when that was given. */
  done: number;
  total?: number;
  calls: number;
  /** Replies that came without a call: from the cache or from an equal call. */
  cacheHits: number;
  /** Prompt and completion tokens reported so far. */
  tokens: number;
  /** Cost so far, where prices were given. */
  usd?: number;
}

/** What a run did. */
export interface ScoreOutcome extends Spending {
  states: number;
  scored: number;
  unscored: number;
  cacheHits: number;
  /** Absent when the run went through to its end. */
  stoppedBy?: "budget" | "interrupted";
}
