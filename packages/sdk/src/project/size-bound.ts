import type { Block, BlockState } from "../schema/index.ts";

/** Longest name a block keeps. */
const LONGEST_NAME = 200;
/** Most blocks a state keeps; without it, a million empty blocks would fit any limit. */
const MOST_BLOCKS = 2_000;
/** How far a cut looks for a blank, so that it does not split a word, a token or a placeholder. */
const WORD = 256;

/** Characters of a block as an evaluator is shown it: text and name, in UTF-16 units. */
export function blockSize(block: Block): number {
  return block.text.length + (block.name?.length ?? 0);
}

/** Characters of all blocks. */
export function blocksSize(blocks: readonly Block[]): number {
  let size = 0;
  for (const block of blocks) size += blockSize(block);
  return size;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

/** The last `room` characters or a little less: from a blank on where one is near, never from within a pair. */
function endOf(text: string, room: number): string {
  let from = text.length - room;
  const blank = /\s/.exec(text.slice(from, from + WORD));
  if (blank !== null && room > WORD) from += blank.index + 1;
  return text.slice(isLowSurrogate(text, from) ? from + 1 : from);
}

/** The first `room` characters or a little less, by the same rules. */
function startOf(text: string, room: number): string {
  let to = room;
  const word = /\S*$/.exec(text.slice(Math.max(0, to - WORD), to))?.[0].length ?? 0;
  if (word < WORD && room > WORD) to -= word;
  return text.slice(0, isLowSurrogate(text, to) ? to - 1 : to);
}

/** A block cut to `room` characters, name included; undefined when not even one would be left. */
function cutBlock(block: Block, room: number): Block | undefined {
  const left = room - (block.name?.length ?? 0);
  if (left < 1) return undefined;
  const text = block.kind === "task" ? startOf(block.text, left) : endOf(block.text, left);
  const chars = block.text.length - text.length + (block.truncated?.chars ?? 0);
  return { ...block, text, truncated: { chars } };
}

function withShortName(block: Block): Block {
  if (block.name === undefined || block.name.length <= LONGEST_NAME) return block;
  return { ...block, name: startOf(block.name, LONGEST_NAME) };
}

/** Room for the task: all it needs, but at most half of the limit where the rest needs the other half. */
function taskRoom(task: number, rest: number, maxChars: number): number {
  return Math.min(task, Math.max(Math.floor(maxChars / 2), maxChars - rest));
}

/**
 * Cuts a state to `maxChars` characters of block text and names.
 *
 * The task is kept first (from its beginning), then blocks from the newest back. The first that does
 * not fit keeps its end; older ones go. `truncated.chars` on a cut block says how many of its
 * characters went; on the state, how many in all, and how many blocks went whole. Earlier cuts stay
 * counted.
 */
export function boundBlocks(state: BlockState, maxChars: number): BlockState {
  const blocks = state.blocks.map(withShortName);
  const before = blocksSize(blocks);
  if (before <= maxChars && blocks.length <= MOST_BLOCKS) return { ...state, blocks };
  const task = blocksSize(blocks.filter((block) => block.kind === "task"));
  let room = taskRoom(task, before - task, maxChars);
  const left = maxChars - room;
  const kept = new Map<number, Block>();
  const keep = (i: number, block: Block) => {
    const size = blockSize(block);
    const whole = size <= room && kept.size < MOST_BLOCKS;
    const fitting = whole ? block : kept.size < MOST_BLOCKS ? cutBlock(block, room) : undefined;
    if (fitting !== undefined) kept.set(i, fitting);
    // Once a block did not fit, nothing older is kept: a state with holes in its past misleads.
    room = whole ? room - size : 0;
  };
  blocks.forEach((block, i) => block.kind === "task" && room > 0 && keep(i, block));
  room = left;
  for (let i = blocks.length - 1; i >= 0 && room > 0; i -= 1) {
    const block = blocks[i];
    if (block !== undefined && block.kind !== "task") keep(i, block);
  }
  const order = [...kept.entries()].sort(([a], [b]) => a - b).map(([, block]) => block);
  return {
    blocks: order,
    truncated: {
      chars: before - blocksSize(order) + (state.truncated?.chars ?? 0),
      blocks: blocks.length - order.length + (state.truncated?.blocks ?? 0),
    },
  };
}
