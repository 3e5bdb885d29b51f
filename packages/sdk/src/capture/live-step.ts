import type { Context } from "@opentelemetry/api";
import type { RuleHits } from "./redactor.ts";
import type { StepEnd, StepSink, StepStart } from "./sink.ts";
import type { Snapshot } from "./snapshot.ts";
import type { StepCapture, StepEndOptions } from "./trajectory-capture.ts";

/** How a step came out, kept for the one that follows it. */
export interface StepOutcome {
  ended: boolean;
  afterSha256?: string;
}

/** A step that was begun: what a trajectory must remember of it until it ends. */
export interface BegunStep {
  readonly start: StepStart;
  readonly outcome: StepOutcome;
  /** Outcome of the step with the previous index. */
  readonly previous: StepOutcome | undefined;
  readonly sinks: readonly (StepSink | undefined)[];
  /** Names of the states that could not be projected. */
  readonly damaged: string[];
  /** What was removed when it began. */
  readonly hits: RuleHits;
  concurrent: boolean;
}

/** How a before-state stands to the after-state of the step with the previous index. */
export function chainOf(
  before: Snapshot | undefined,
  previous: StepOutcome | undefined,
): Pick<StepEnd, "chained" | "discontinuity"> {
  if (before === undefined || previous === undefined) return { chained: false, discontinuity: false };
  const chained = previous.ended && previous.afterSha256 === before.sha256;
  // A previous step that ended without a known after-state tells nothing about a change in between.
  const unknown = previous.ended && previous.afterSha256 === undefined;
  return { chained, discontinuity: !chained && !unknown };
}

/** What a step needs of its trajectory. */
interface StepKeeper {
  readonly context: Context | undefined;
  end(begun: BegunStep, options: StepEndOptions): void;
}

/** The handle a host holds. */
export class LiveStep implements StepCapture {
  readonly id: string;
  readonly index: number;
  readonly #sinks: BegunStep["sinks"];
  readonly #context: Context | undefined;
  #keeper: StepKeeper | undefined;
  #begun: BegunStep | undefined;

  constructor(begun: BegunStep, keeper: StepKeeper) {
    this.id = begun.start.stepId;
    this.index = begun.start.index;
    this.#sinks = begun.sinks;
    this.#context = keeper.context;
    this.#keeper = keeper;
    this.#begun = begun;
  }

  /** Made only when asked for: most steps have nothing inside. */
  get context(): Context | undefined {
    for (const sink of this.#sinks) {
      const context = sink?.context;
      if (context !== undefined) return context;
    }
    return this.#context;
  }

  end(options: StepEndOptions = {}): void {
    const begun = this.#begun;
    const keeper = this.#keeper;
    // Let go first: a host that keeps the handle keeps no state alive.
    this.#begun = undefined;
    this.#keeper = undefined;
    if (begun !== undefined) keeper?.end(begun, options);
  }
}
