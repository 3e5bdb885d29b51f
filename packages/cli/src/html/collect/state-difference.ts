import type { Block } from "@agent-step-value/sdk";
import { diffArrays } from "diff";
import { textDifference, type Segment } from "./text-difference.ts";

/** One block of a state that came, went or changed its text. */
export interface BlockChange {
  op: "added" | "removed" | "changed";
  kind: string;
  name?: string;
  segments: Segment[];
}

/** What a step did to a state. */
export interface StateChange {
  changes: BlockChange[];
  /** Blocks that are the same in both states. */
  unchanged: number;
  /** Changed blocks beyond those listed. */
  omitted: number;
}

const MOST_CHANGES = 24;
/** Edits between the lists of blocks after which they count as replaced. */
const MOST_EDITS = 400;

/**
 * Block by block, what one state has and the other has not. A block that went and one of the same kind
 * and name that came in its place are one changed block. Bounded: see {@link textDifference}.
 */
export function stateDifference(before: readonly Block[], after: readonly Block[]): StateChange {
  const start = commonBlocks(before, after, (blocks, i) => blocks[i]!);
  const rest = [before.slice(start), after.slice(start)] as const;
  const end = commonBlocks(...rest, (blocks, i) => blocks[blocks.length - 1 - i]!);
  const [went, came] = rest.map((blocks) => blocks.slice(0, blocks.length - end)) as [Block[], Block[]];
  const hunks = alignBlocks(went, came);
  const unchanged = start + end + hunks.same;
  const changes = pairBlocks(hunks.removed, hunks.added);
  return {
    changes: changes.slice(0, MOST_CHANGES).map(toChange),
    unchanged,
    omitted: Math.max(0, changes.length - MOST_CHANGES),
  };
}

function commonBlocks(
  a: readonly Block[],
  b: readonly Block[],
  at: (blocks: readonly Block[], i: number) => Block,
): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && isSame(at(a, length), at(b, length))) length++;
  return length;
}

function isSame(a: Block, b: Block): boolean {
  return a.kind === b.kind && a.name === b.name && a.text === b.text;
}

/** A block and where it stands, so that changes can be told in the order of the states. */
interface Placed {
  block: Block;
  place: number;
}

function alignBlocks(
  before: readonly Block[],
  after: readonly Block[],
): { removed: Placed[]; added: Placed[]; same: number } {
  const compared = diffArrays([...before], [...after], { comparator: isSame, maxEditLength: MOST_EDITS });
  const removed: Placed[] = [];
  const added: Placed[] = [];
  let same = 0;
  if (compared === undefined) {
    removed.push(...before.map((block, place) => ({ block, place })));
    added.push(...after.map((block, place) => ({ block, place })));
    return { removed, added, same };
  }
  let place = 0;
  for (const change of compared) {
    if (change.added || change.removed) {
      for (const block of change.value) (change.added ? added : removed).push({ block, place: place++ });
    } else {
      same += change.value.length;
      place += change.value.length;
    }
  }
  return { removed, added, same };
}

interface BlockPair {
  before?: Block;
  after?: Block;
  place: number;
}

function pairBlocks(removed: readonly Placed[], added: readonly Placed[]): BlockPair[] {
  const waiting = new Map<string, Placed[]>();
  for (const placed of removed) {
    const key = JSON.stringify([placed.block.kind, placed.block.name]);
    const list = waiting.get(key);
    if (list === undefined) waiting.set(key, [placed]);
    else list.push(placed);
  }
  const pairs: BlockPair[] = added.map(({ block, place }) => {
    const partner = waiting.get(JSON.stringify([block.kind, block.name]))?.shift();
    return { ...(partner !== undefined && { before: partner.block }), after: block, place };
  });
  for (const list of waiting.values()) {
    for (const { block, place } of list) pairs.push({ before: block, place });
  }
  return pairs.sort((a, b) => a.place - b.place);
}

function toChange({ before, after }: BlockPair): BlockChange {
  const { kind, name } = (after ?? before)!;
  return {
    op: before === undefined ? "added" : after === undefined ? "removed" : "changed",
    kind,
    ...(name !== undefined && { name }),
    segments: textDifference(before?.text ?? "", after?.text ?? ""),
  };
}
