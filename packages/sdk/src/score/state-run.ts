import type { AnswerDesk } from "./answer-desk.ts";
import type { Ledger } from "./score-budget.ts";
import type { ScoreOptions } from "./score-options.ts";

/** What scoring one state needs of its run. */
export interface StateRun {
  options: ScoreOptions;
  desk: AnswerDesk;
  ledger: Ledger;
  signal: AbortSignal;
}
