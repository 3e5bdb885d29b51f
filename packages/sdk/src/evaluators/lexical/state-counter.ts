import type { Block } from "../../schema/index.ts";
import type { TermTable } from "./candidate-terms.ts";
import { countTerms } from "./count-terms.ts";
import { tokenise } from "./tokenise.ts";

/** Bytes a remembered block costs besides its text and its counts, roughly. */
const ENTRY_BYTES = 200;

/**
 * Count vectors of states for one candidate set, with a memory of the blocks it has seen.
 *
 * States of a run repeat their blocks, so each distinct block text is tokenised once; and where a
 * state begins with the whole state asked before it, only the blocks added since are summed. Counts
 * are whole numbers, so neither shortcut can change a result.
 */
export class StateCounter {
  readonly #table: TermTable;
  readonly #onTokenise: (characters: number) => void;
  readonly #blocks = new Map<string, Float64Array>();
  #latest: { texts: string[]; counts: Float64Array };

  /** Rough size of the memory, in bytes. */
  bytes = 0;

  constructor(table: TermTable, onTokenise: (characters: number) => void) {
    this.#table = table;
    this.#onTokenise = onTokenise;
    this.#latest = { texts: [], counts: new Float64Array(table.size) };
  }

  /** Count vector of a state. The caller must not change it; the next call may. */
  count(blocks: readonly Block[]): Float64Array {
    let { texts, counts } = this.#latest;
    if (!startsWith(blocks, texts)) {
      texts = [];
      counts = new Float64Array(this.#table.size);
      this.#latest = { texts, counts };
    }
    for (let i = texts.length; i < blocks.length; i++) {
      const text = blocks[i]!.text;
      const added = this.#countBlock(text);
      for (let slot = 0; slot < added.length; slot++) counts[slot]! += added[slot]!;
      texts.push(text);
    }
    return counts;
  }

  /** Forgets every block. */
  forget(): void {
    this.#blocks.clear();
    this.#latest = { texts: [], counts: new Float64Array(this.#table.size) };
    this.bytes = 0;
  }

  #countBlock(text: string): Float64Array {
    let counts = this.#blocks.get(text);
    if (counts === undefined) {
      this.#onTokenise(text.length);
      counts = countTerms(this.#table, tokenise(text));
      this.#blocks.set(text, counts);
      this.bytes += ENTRY_BYTES + 2 * text.length + counts.byteLength;
    }
    return counts;
  }
}

function startsWith(blocks: readonly Block[], texts: readonly string[]): boolean {
  return texts.length <= blocks.length && texts.every((text, i) => blocks[i]!.text === text);
}
