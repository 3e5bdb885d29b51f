import { createRedactionSession, projectState } from "../project/index.ts";
import type { Block, RedactionSummary, State } from "../schema/index.ts";

/**
 * States of one run that grow block by block.
 *
 * Every state is projected (redacted, bounded to 24,000 characters, cuts recorded) in one redaction
 * session, so that a secret has the same placeholder in all of them. After-state i and before-state
 * i + 1 are one object.
 */
export class StateChain {
  readonly #session = createRedactionSession();
  readonly #hits = new Map<string, number>();
  #summary: RedactionSummary | undefined;
  #blocks: readonly Block[];
  #state: State;

  constructor(...blocks: Block[]) {
    this.#blocks = blocks;
    this.#state = this.#project();
  }

  /** How often each redaction rule fired, over all states. */
  get redaction(): RedactionSummary {
    return { ...this.#summary!, hits: Object.fromEntries(this.#hits) };
  }

  /** Adds blocks and returns the states before and after. */
  append(...blocks: Block[]): { stateBefore: State; stateAfter: State } {
    const stateBefore = this.#state;
    this.#blocks = [...this.#blocks, ...blocks];
    this.#state = this.#project();
    return { stateBefore, stateAfter: this.#state };
  }

  #project(): State {
    const { state, report } = projectState({ blocks: this.#blocks }, undefined, this.#session);
    for (const [rule, hits] of Object.entries(report.hits)) {
      this.#hits.set(rule, (this.#hits.get(rule) ?? 0) + hits);
    }
    this.#summary = { policy: report.policy, version: report.version, hits: {} };
    return state as State;
  }
}
