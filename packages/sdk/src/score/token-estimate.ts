const encoder = new TextEncoder();

/** How token counts are guessed before a call; printed beside every guess. */
export const TOKEN_ESTIMATE = "one token per 4 UTF-8 bytes";

/** Tokens a text will take, by {@link TOKEN_ESTIMATE}. */
export function estimateTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / 4);
}

/** Tokens of one call: expected before it, reported after it. */
export interface CallTokens {
  prompt: number;
  completion: number;
  /** Part of `prompt` that the server read from its own prefix cache. */
  cached: number;
}
