import type { Block, BlockKind } from "../schema/index.ts";
import { GrowingDigest } from "./growing-digest.ts";
import { LONGEST_NAME, LONGEST_STATE, MOST_BLOCKS } from "./known-blocks.ts";
import type { Redactor } from "./redactor.ts";
import { NO_HITS, NO_STATE, Snapshot } from "./snapshot.ts";

/**
 * A state that is written block by block and goes on growing, as a conversation does: each block is
 * redacted, serialised and digested once, however many states it is part of.
 */
export interface StateWriter {
  /** Adds a block. Never throws. */
  add(kind: BlockKind, name: string, text: string): void;
  /** Begins anew, without blocks. */
  clear(): void;
  /** The state as it is now, to be given as the before- or after-state of steps. */
  snapshot(): Snapshot;
}

/** Where nobody records. */
export const silentWriter: StateWriter = {
  add: () => undefined,
  clear: () => undefined,
  snapshot: () => NO_STATE,
};

const BEGIN = '{"blocks":[';
const END = "]}";

/** Writes the states of one trajectory. */
export class BlockWriter implements StateWriter {
  readonly #redactor: Redactor;
  readonly #read: (state: unknown) => Snapshot;
  readonly #maxChars: number;
  readonly #digest = new GrowingDigest();
  #blocks: Required<Pick<Block, "kind" | "name" | "text">>[] = [];
  #chars = 0;
  /** Canonical JSON of the blocks, as long as a projection would leave them as they are. */
  #text: string | undefined;
  #newest: Snapshot | undefined;

  /** @param read projects the states of which something is removed, or that are cut */
  constructor(redactor: Redactor, read: (state: unknown) => Snapshot) {
    this.#redactor = redactor;
    this.#read = read;
    this.#maxChars = Math.min(redactor.maxStateChars, LONGEST_STATE);
    this.clear();
  }

  add(kind: BlockKind, name: string, text: string): void {
    this.#newest = undefined;
    const block = { kind, name, text };
    this.#blocks.push(block);
    const before = this.#text;
    if (before === undefined) return;
    this.#chars += name.length + text.length;
    const fits =
      this.#chars <= this.#maxChars && this.#blocks.length <= MOST_BLOCKS && name.length <= LONGEST_NAME;
    const isWhole = fits && this.#redactor.leavesInBlock(name) && this.#redactor.leavesInBlock(text);
    const separator = this.#blocks.length > 1 ? "," : "";
    this.#text = isWhole ? before + separator + JSON.stringify(block) : undefined;
  }

  clear(): void {
    this.#newest = undefined;
    this.#blocks = [];
    this.#chars = 0;
    this.#text = this.#redactor.projectsBlocksAlone ? BEGIN : undefined;
    this.#digest.clear();
  }

  snapshot(): Snapshot {
    this.#newest ??= this.#text === undefined ? this.#read(this.#copied()) : this.#whole(this.#text);
    return this.#newest;
  }

  /** A host's own `project` may change what it is given. */
  #copied(): { blocks: Block[] } {
    return { blocks: this.#blocks.map(({ kind, name, text }) => ({ kind, name, text })) };
  }

  #whole(begun: string): Snapshot {
    const text = begun + END;
    return new Snapshot(text, this.#digest.of(text, END.length), NO_HITS);
  }
}
