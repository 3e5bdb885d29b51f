import { AsvError } from "../../errors/index.ts";
import type { EngineInput, EngineSequence, TokenId } from "./llama-engine.ts";

/** Tokens evaluated between two looks at the abort signal. */
export const CHUNK = 256;

/**
 * Tokens at the end of a prompt that are always evaluated together. Engines use other kernels for a
 * batch of one token, and their results differ by up to some tenths of a nat; from two tokens on they
 * were equal to the bit. The margin is for kernels that work on blocks of rows.
 */
export const LEAST_TOGETHER = 16;

/** What evaluating a prompt up to its last token found. */
export interface Prefilled {
  /** Tokens still to be evaluated; at least the last one. */
  rest: TokenId[];
  /** Tokens at the front that an earlier prompt had left behind. */
  reused: number;
}

/**
 * One sequence of a context that keeps what it can of the prompt before. Not safe for two calls at
 * once; the evaluator lets one in at a time.
 */
export class PromptEvaluator {
  readonly #sequence: EngineSequence;
  readonly #reusePrefix: boolean;
  #broken = false;

  constructor(sequence: EngineSequence, reusePrefix: boolean) {
    this.#sequence = sequence;
    this.#reusePrefix = reusePrefix;
  }

  /** Logits of the whole vocabulary after the last token. */
  async next(tokens: readonly TokenId[], signal: AbortSignal | undefined) {
    return this.#whole(async () => {
      const { rest, reused } = await this.#prefill(tokens, signal);
      const input: EngineInput[] = [...rest.slice(0, -1), [rest.at(-1)!, { generateNext: { logits: true } }]];
      const output = await this.#sequence.controlledEvaluate(input);
      return { logits: output.at(-1)?.next.logits, reused };
    });
  }

  /** The likeliest tokens, one after the other, until the model ends or `most` are written. */
  async write(tokens: readonly TokenId[], most: number, signal: AbortSignal | undefined) {
    return this.#whole(async () => {
      const { rest, reused } = await this.#prefill(tokens, signal);
      const written: TokenId[] = [];
      let ended = true;
      for await (const token of this.#sequence.evaluate(rest, { temperature: 0 })) {
        signal?.throwIfAborted();
        written.push(token);
        if (written.length < most) continue;
        ended = false;
        break;
      }
      return { written, ended, reused };
    });
  }

  /** Brings the sequence to the last chunk of a prompt. */
  async #prefill(tokens: readonly TokenId[], signal: AbortSignal | undefined): Promise<Prefilled> {
    const keep = this.#reusePrefix && !this.#broken ? Math.max(0, tokens.length - LEAST_TOGETHER) : 0;
    if (keep === 0) await this.#sequence.clearHistory();
    else await this.#sequence.adaptStateToTokens(tokens.slice(0, keep), false);
    const reused = this.#sequence.nextTokenIndex;
    if (reused > keep) throw new AsvError("evaluator_failed", "The engine kept tokens of another prompt.");
    let at = reused;
    while (tokens.length - at > CHUNK + LEAST_TOGETHER) {
      signal?.throwIfAborted();
      await this.#sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + CHUNK));
      at += CHUNK;
    }
    signal?.throwIfAborted();
    return { rest: tokens.slice(at), reused };
  }

  /** After a failure nobody knows what the sequence holds, so the next prompt starts from nothing. */
  async #whole<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.#broken = false;
      return result;
    } catch (error) {
      this.#broken = true;
      throw error;
    }
  }
}
