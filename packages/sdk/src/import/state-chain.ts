import { boundBlocks, createRedactionSession, projectState } from "../project/index.ts";
import { rulesOnly } from "../project/rules-only.ts";
import type { Block, BlockState, RedactionSummary, State } from "../schema/index.ts";

/** Size bound of the default projection, in characters and in blocks: what is older can show in no state. */
const MAX_CHARS = 24_000;
const MOST_BLOCKS = 2_000;
/** A cut can uncover something; as in the projection itself, this many looks settle it. */
const MOST_ROUNDS = 4;

/** A block as it came, as it may be shown, and what its projection counted. */
interface Kept {
  readonly raw: Block;
  readonly safe: Block;
  readonly size: number;
  readonly hits: Readonly<Record<string, number>>;
}

/** A step's two states. */
export interface StatePair {
  stateBefore: State;
  stateAfter: State;
}

/**
 * States of one run that grow block by block.
 *
 * Every state is projected (redacted, bounded to 24,000 characters, cuts recorded) in one redaction
 * session, so that a secret has the same placeholder in all of them. After-state i and before-state
 * i + 1 are one object. Each block is projected once, and a state looks back only as far as its size
 * allows, so that a run of n steps costs n times the size of a state.
 */
export class StateChain {
  readonly #session = createRedactionSession();
  readonly #hits = new Map<string, number>();
  readonly #hitsNow = new Map<string, number>();
  readonly #kept: Kept[] = [];
  /** Places of the task blocks, which are shown however old they are. */
  readonly #tasks: number[] = [];
  #size = 0;
  #policy = { policy: "", version: "" };
  #state: State;

  constructor(...blocks: readonly Block[]) {
    for (const block of blocks) this.#push(block);
    this.#state = this.#show();
  }

  /** A chain that begins with these blocks, however many they are. */
  static of(blocks: readonly Block[]): StateChain {
    const chain = new StateChain();
    chain.replace(blocks);
    return chain;
  }

  /** The present state. */
  get state(): State {
    return this.#state;
  }

  /** How often each redaction rule fired, over all states. */
  get redaction(): RedactionSummary {
    return { ...this.#policy, hits: Object.fromEntries(this.#hits) };
  }

  /** Adds blocks and returns the states before and after. */
  append(...blocks: readonly Block[]): StatePair {
    return this.add(blocks);
  }

  /** As {@link append}, for a list that may be longer than a call can have arguments. */
  add(blocks: readonly Block[]): StatePair {
    const stateBefore = this.#state;
    for (const block of blocks) this.#push(block);
    if (blocks.length > 0) this.#state = this.#show();
    return { stateBefore, stateAfter: this.#state };
  }

  /**
   * Makes these blocks the present state. Blocks at the start that are the same as before are kept as
   * they were projected.
   *
   * @returns true where the state changed
   */
  replace(blocks: readonly Block[]): boolean {
    let same = 0;
    while (same < blocks.length && same < this.#kept.length && isSame(this.#kept[same]!.raw, blocks[same]!)) {
      same += 1;
    }
    if (same === blocks.length && same === this.#kept.length) return false;
    while (this.#kept.length > same) this.#drop();
    for (const block of blocks.slice(same)) this.#push(block);
    this.#state = this.#show();
    return true;
  }

  /** A text outside the states (a question, a tool's name) as the states would show it. */
  redact(text: string): string {
    return this.#project({ kind: "other", text }).safe.text;
  }

  #push(block: Block): void {
    const kept = this.#project(block);
    if (kept.safe.kind === "task") this.#tasks.push(this.#kept.length);
    this.#kept.push(kept);
    this.#size += kept.size;
    add(this.#hitsNow, kept.hits, 1);
  }

  #drop(): void {
    const { safe, size, hits } = this.#kept.pop()!;
    if (safe.kind === "task") this.#tasks.pop();
    this.#size -= size;
    add(this.#hitsNow, hits, -1);
  }

  #project(raw: Block): Kept {
    const { state, report } = projectState({ blocks: [raw] }, rulesOnly(), this.#session);
    this.#policy = { policy: report.policy, version: report.version };
    const [safe] = (state as BlockState).blocks as [Block];
    return { raw, safe, size: safe.text.length + (safe.name?.length ?? 0), hits: report.hits };
  }

  #show(): State {
    add(this.#hits, Object.fromEntries(this.#hitsNow), 1);
    if (this.#size <= MAX_CHARS && this.#kept.length <= MOST_BLOCKS) {
      return { blocks: this.#kept.map(({ safe }) => safe) } as unknown as State;
    }
    return this.#bounded(this.#recent()) as unknown as State;
  }

  /** Cut to size. A cut block is looked at once more: it can start in the middle of what was a word. */
  #bounded(recent: BlockState): BlockState {
    let current = recent;
    // Only a cut makes a new block of one that was not cut before.
    const isCut = (block: Block): boolean => block.truncated !== undefined && !recent.blocks.includes(block);
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const cut = boundBlocks(current, MAX_CHARS);
      if (cut.truncated?.chars === current.truncated?.chars) return cut;
      if (!cut.blocks.some(isCut)) return cut;
      current = { ...cut, blocks: cut.blocks.map((block) => (isCut(block) ? this.#again(block) : block)) };
    }
    return boundBlocks(current, MAX_CHARS);
  }

  #again(block: Block): Block {
    const { safe, hits } = this.#project(block);
    add(this.#hits, hits, 1);
    return safe;
  }

  /** The tasks and the newest blocks, at least as many as a bounded state can hold, and what was left out. */
  #recent(): BlockState {
    let from = this.#kept.length;
    let size = 0;
    while (from > 0 && size < MAX_CHARS && this.#kept.length - from < MOST_BLOCKS) {
      from -= 1;
      const { safe, size: more } = this.#kept[from]!;
      if (safe.kind !== "task") size += more;
    }
    const old = this.#tasks.filter((place) => place < from).map((place) => this.#kept[place]!);
    const shown = [...old, ...this.#kept.slice(from)];
    const blocks = shown.map(({ safe }) => safe);
    const left = { chars: this.#size, blocks: this.#kept.length - shown.length };
    for (const { size: taken } of shown) left.chars -= taken;
    return left.blocks === 0 ? { blocks } : { blocks, truncated: left };
  }
}

function isSame(a: Block, b: Block): boolean {
  return a === b || (a.kind === b.kind && a.name === b.name && a.text === b.text);
}

function add(sum: Map<string, number>, hits: Readonly<Record<string, number>>, sign: 1 | -1): void {
  for (const [rule, count] of Object.entries(hits)) {
    const total = (sum.get(rule) ?? 0) + sign * count;
    if (total === 0) sum.delete(rule);
    else sum.set(rule, total);
  }
}
