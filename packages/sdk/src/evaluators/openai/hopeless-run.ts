import { AsvError } from "../../errors/index.ts";

/** Replies without a single usable one, after which going on only costs money. */
const ENOUGH = 5;

/**
 * Watches replies that came but cannot be used because of what model or server are: no
 * log-probabilities, reasoning that cannot be switched off. When the first five are all like that, the
 * failure is one that every later call would share, and says so.
 */
export function hopelessRun(): { good(): void; bad(error: unknown): unknown } {
  let bad = 0;
  let good = false;
  return {
    good() {
      good = true;
    },
    bad(error) {
      if (good || !AsvError.isInstance(error)) return error;
      const { flag } = error.fields;
      if (flag !== "no_logprobs" && flag !== "reasoning_tokens") return error;
      if (++bad < ENOUGH) return error;
      const message = `None of the first ${bad} replies could be used. ${error.message}`;
      return new AsvError(error.code, message, { ...error.fields, fatal: true });
    },
  };
}
