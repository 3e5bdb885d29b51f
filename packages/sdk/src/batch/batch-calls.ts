import type { RationaleRequest, ScoreRequest } from "../evaluators/evaluator.ts";
import type { Trajectory } from "../schema/index.ts";
import { enumerateStates, type StateUnit } from "../score/enumerate-states.ts";
import { stateBuffer } from "../score/state-buffer.ts";
import { rationaleCall, scoredCall } from "../score/state-calls.ts";
import { rationaleReply } from "../score/stored-reply.ts";
import type { BatchOptions } from "./batch-options.ts";

/** One call of a run, or one that waits for a rationale nobody has yet. */
export type BatchCall =
  | { kind: "rationale"; key: string; request: RationaleRequest; unit: StateUnit }
  | { kind: "scored"; key: string; request: ScoreRequest; unit: StateUnit }
  | { kind: "waiting" };

/**
 * The calls that scoring would make or find in the cache, in its order and under its keys. A state
 * whose rationale is not in the cache has no keys yet: its scored calls wait for the next round.
 */
export async function* batchCalls(
  trajectories: AsyncIterable<Trajectory> | Iterable<Trajectory>,
  options: BatchOptions,
): AsyncGenerator<BatchCall, void, undefined> {
  const { protocol, cache } = options;
  for await (const unit of enumerateStates(trajectories, options)) {
    let text: string | undefined;
    if (protocol.buffer.kind === "generated") {
      const call = rationaleCall(options, unit, protocol.buffer.maxTokens);
      yield { kind: "rationale", key: call.key, request: call.request, unit };
      // Read after the yield: whoever took the call may have put its reply there.
      const stored = await cache.get(call.key);
      text = stored === undefined ? undefined : rationaleReply(stored).text;
    } else {
      const buffer = stateBuffer(options, unit);
      if ("refused" in buffer) continue;
      ({ text } = buffer);
    }
    for (const row of unit.rows) {
      if (text === undefined) {
        yield { kind: "waiting" };
        continue;
      }
      const { key, request } = scoredCall(options, unit, row, text);
      yield { kind: "scored", key, request, unit };
    }
  }
}
