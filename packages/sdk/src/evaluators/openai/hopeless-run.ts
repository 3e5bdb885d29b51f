import { AsvError } from "../../errors/index.ts";

/** Replies without a single usable one, after which going on only costs money. */
const ENOUGH = 5;

/**
 * Watches the reading of replies that came but cannot be used because of what model or server are: no
 * log-probabilities, reasoning that cannot be switched off. When the first five are all like that, the
 * failure is one that every later call would share, and says so.
 *
 * @returns runs a reader and passes on what it returns or throws
 */
export function hopelessRun(): <T>(read: () => T) => T {
  let bad = 0;
  let good = false;
  return (read) => {
    try {
      const value = read();
      good = true;
      return value;
    } catch (error) {
      if (good || !isLasting(error) || ++bad < ENOUGH) throw error;
      const message = `None of the first ${bad} replies could be used. ${error.message}`;
      throw new AsvError(error.code, message, { ...error.fields, fatal: true });
    }
  };
}

function isLasting(error: unknown): error is AsvError {
  if (!AsvError.isInstance(error)) return false;
  const { flag } = error.fields;
  return flag === "no_logprobs" || flag === "reasoning_tokens";
}
