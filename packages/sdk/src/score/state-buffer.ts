import { extractBuffer, type BufferPolicy } from "../protocol/index.ts";
import type { StateUnit } from "./enumerate-states.ts";

/** The buffer of a state that no call has to write. */
export function stateBuffer(policy: BufferPolicy, unit: StateUnit): string {
  return policy.kind === "extractive" ? extractBuffer(unit, policy.maxTokens) : "";
}
