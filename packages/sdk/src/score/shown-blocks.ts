import { isBlockState, sliceBlocks, stateBlocks } from "../project/index.ts";
import { boundBlocks } from "../project/size-bound.ts";
import type { ProtocolSettings } from "../protocol/index.ts";
import type { Block, State } from "../schema/index.ts";

/** What an evaluator is shown of a state, and whether text is missing from it. */
export interface ShownBlocks {
  blocks: readonly Block[];
  /** The size bound cut something: here, or when the state was captured. */
  truncated: boolean;
}

/** Φ's part at scoring time: the protocol's slice of a stored state, then its size bound. */
export function shownBlocks(state: State, { slice, maxChars }: ProtocolSettings["projection"]): ShownBlocks {
  const sliced = sliceBlocks(stateBlocks(state), slice);
  const bounded = boundBlocks({ blocks: sliced }, maxChars);
  const cutBefore = isBlockState(state) && state.truncated !== undefined && slice !== "none";
  const cut =
    bounded.truncated !== undefined || bounded.blocks.some((block) => block.truncated !== undefined);
  return { blocks: bounded.blocks, truncated: cutBefore || cut };
}
