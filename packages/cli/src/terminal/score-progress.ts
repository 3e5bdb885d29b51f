import type { ScoreProgress } from "@agent-step-value/sdk/score";
import { say, type Io } from "../io.ts";
import { createEta, showSeconds } from "./eta.ts";
import { createProgress } from "./progress.ts";

/** Shorter waits are not worth a line. */
const LONG_WAIT_MS = 5000;

/** Progress of a scoring run: calls, cache, tokens, cost, time left, and waits the server asked for. */
export function createScoreProgress(io: Io) {
  const progress = createProgress("score", io.stderr, io.quiet);
  const eta = createEta(() => performance.now());
  let silentUntil = 0;
  return {
    update({ done, total, calls, cacheHits, tokens, usd }: ScoreProgress): void {
      const left = eta.update(done, total);
      const parts = [
        `${calls} calls`,
        `${cacheHits} from cache`,
        `${tokens} tokens`,
        ...(usd === undefined ? [] : [`${usd.toFixed(4)} USD`]),
        ...(left === undefined ? [] : [`${showSeconds(left)} left`]),
      ];
      progress.update(done, total, parts.join(", "));
    },
    /** Many calls wait for the same moment; it is told once. */
    wait({ ms, reason }: { ms: number; reason: string }): void {
      const now = performance.now();
      if (ms < LONG_WAIT_MS || now < silentUntil) return;
      silentUntil = now + ms;
      say(io, `waiting ${showSeconds(ms / 1000)}: ${reason}`);
    },
    stop: () => progress.stop(),
  };
}
