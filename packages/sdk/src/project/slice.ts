import type { Block, BlockKind } from "../schema/index.ts";

/**
 * Which part of a state the evaluator is shown.
 *
 * | slice | blocks |
 * | --- | --- |
 * | `full` | all |
 * | `evidence` | task and evidence |
 * | `agent-output` | task and what the agent wrote: plan, message, tool_call, reasoning, answer, audit |
 * | `none` | none: the negative control, candidates alone |
 *
 * `other` blocks are of unknown origin and therefore only in `full`.
 */
export type Slice = "full" | "evidence" | "agent-output" | "none";

const KINDS: Readonly<Record<Exclude<Slice, "full">, readonly BlockKind[]>> = {
  evidence: ["task", "evidence"],
  "agent-output": ["task", "plan", "message", "tool_call", "reasoning", "answer", "audit"],
  none: [],
};

/** The blocks of one slice, in their order. */
export function sliceBlocks(blocks: readonly Block[], slice: Slice): Block[] {
  if (slice === "full") return [...blocks];
  const kinds = KINDS[slice];
  return blocks.filter((block) => kinds.includes(block.kind));
}
