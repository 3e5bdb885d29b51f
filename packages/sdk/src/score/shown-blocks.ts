import {
  boundBlocks,
  isBlockState,
  projectState,
  sliceBlocks,
  stateBlocks,
  type RedactionSession,
} from "../project/index.ts";
import { rulesOnly } from "../project/rules-only.ts";
import type { ProtocolSettings } from "../protocol/index.ts";
import type { Block, State } from "../schema/index.ts";

/** What an evaluator is shown of a state, and what is missing from it. */
export interface ShownBlocks {
  blocks: readonly Block[];
  /** The size bound cut something: here, or when the state was captured. */
  truncated: boolean;
  /** A redaction rule fired: the state was stored with something an evaluator must not see. */
  redacted: boolean;
}

/**
 * Φ's part at scoring time: the redaction rules once more, the protocol's slice, then its size bound.
 *
 * A state that this toolkit projected comes through the rules unchanged. One that another program wrote
 * may hold the gold answer, an outcome or a secret, and none of them may reach an evaluator.
 *
 * @param session of the trajectory, so that a secret has one placeholder in all of its states
 */
export function shownBlocks(
  state: State,
  { slice, maxChars }: ProtocolSettings["projection"],
  session: RedactionSession,
): ShownBlocks {
  const { state: projected, report } = projectState(state, rulesOnly(), session);
  const sliced = sliceBlocks(stateBlocks(projected as State), slice);
  const bounded = boundBlocks({ blocks: sliced }, maxChars);
  const cutBefore = isBlockState(state) && state.truncated !== undefined && slice !== "none";
  const cut =
    bounded.truncated !== undefined || bounded.blocks.some((block) => block.truncated !== undefined);
  return {
    blocks: bounded.blocks,
    truncated: cutBefore || cut,
    redacted: Object.keys(report.hits).length > 0 && slice !== "none",
  };
}
