import {
  boundBlocks,
  createRedactionSession,
  PROJECTION_VERSION,
  projectState,
  resolvePolicy,
  type Block,
  type BlockState,
  type JsonObject,
  type JsonValue,
  type RedactionSummary,
  type State,
} from "@agent-step-value/sdk";
import type { Entry } from "./entry.ts";

/** The default rules; a block is projected whole once, and states are cut to size when they are put together. */
const whole = resolvePolicy({ maxChars: Infinity });
const bounded = resolvePolicy();

/** Blocks the SDK keeps of a state at most; what is older than those need not be looked at. */
const MOST_BLOCKS = 2000;

/** Longest text of an action's field. */
const ACTION_LIMIT = 4000;

/**
 * The transcript of one run and its states. Every block is redacted once, all in one session, so that a
 * secret has the same placeholder in all states; a state is the newest blocks that fit, as the SDK cuts
 * it. Before- and after-state are one object where nothing came between.
 */
export class StateWriter {
  readonly #session = createRedactionSession();
  readonly #hits = new Map<string, number>();
  /** Undefined where a rule takes the whole block out. */
  readonly #blocks = new Map<Entry, Block | undefined>();
  readonly #task: Entry;
  #entries: Entry[] = [];
  #chars = 0;
  #state: State | undefined;

  constructor(task: Entry) {
    this.#task = task;
    if (task.text !== "") this.append([task]);
  }

  get redaction(): RedactionSummary {
    const hits = [...this.#hits].sort(([a], [b]) => (a < b ? -1 : 1));
    return { policy: bounded.name, version: PROJECTION_VERSION, hits: Object.fromEntries(hits) };
  }

  /** The state now; undefined while there is nothing in it. */
  state(): State | undefined {
    if (this.#entries.length === 0) return undefined;
    return (this.#state ??= this.#write());
  }

  append(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.text === undefined || entry.text === "") continue;
      const block = this.#block(entry);
      if (block === undefined) continue;
      this.#entries.push(entry);
      this.#chars += size(block);
      this.#state = undefined;
    }
  }

  /** Takes entries out and puts others in after those they follow. */
  change(
    removed: ReadonlySet<Entry>,
    inserted: readonly { readonly after: Entry | undefined; readonly entry: Entry }[],
  ): void {
    const anchored = inserted.filter(({ after }) => after !== undefined);
    if (removed.size > 0 || anchored.length > 0) {
      const following = new Map<Entry, Entry[]>();
      for (const { after, entry } of anchored) {
        const list = following.get(after!);
        if (list === undefined) following.set(after!, [entry]);
        else list.push(entry);
      }
      const old = this.#entries;
      this.#entries = [];
      this.#chars = 0;
      const place = (first: Entry): void => {
        // A chain of new entries each follows the one before it.
        const stack = [first];
        for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
          if (!removed.has(entry)) this.append([entry]);
          stack.push(...(following.get(entry) ?? []).toReversed());
          following.delete(entry);
        }
      };
      if (!old.includes(this.#task)) place(this.#task);
      for (const entry of old) place(entry);
      for (const list of following.values()) this.append(list);
      this.#state = undefined;
    }
    this.append(inserted.filter(({ after }) => after === undefined).map(({ entry }) => entry));
  }

  /** Any value, redacted in the same session, its long texts cut. */
  value(value: JsonValue): JsonValue {
    const { state, report } = projectState({ value }, whole, this.#session);
    this.#count(report.hits);
    return (state as JsonObject)["value"] ?? null;
  }

  /** A redacted text of bounded length. */
  text(text: string, limit = ACTION_LIMIT): string {
    const safe = this.value(text);
    const shown = typeof safe === "string" ? safe : JSON.stringify(safe);
    return shown.length <= limit ? shown : `${shown.slice(0, limit)}[CUT:${shown.length - limit}]`;
  }

  #count(hits: Readonly<Record<string, number>>): void {
    for (const [rule, times] of Object.entries(hits))
      this.#hits.set(rule, (this.#hits.get(rule) ?? 0) + times);
  }

  #block(entry: Entry): Block | undefined {
    if (this.#blocks.has(entry)) return this.#blocks.get(entry);
    const block = this.#isRefused(entry) ? undefined : this.#projected(entry);
    this.#blocks.set(entry, block);
    return block;
  }

  #projected(entry: Entry): Block {
    const raw = { ...entry.block, text: entry.text ?? "" };
    const { state, report } = projectState({ blocks: [raw] }, whole, this.#session);
    this.#count(report.hits);
    return (state as unknown as { blocks: Block[] }).blocks[0] ?? raw;
  }

  /** A field is a block of its name, so the rules that go by keys are asked about it as a field: answers, outcomes, credentials. */
  #isRefused({ is, name, text }: Entry): boolean {
    if (is !== "field" || name === undefined) return false;
    const { state, report } = projectState({ [name]: fieldValue(text ?? "") }, whole, this.#session);
    if (Object.hasOwn(state, name)) return false;
    this.#count(report.hits);
    return true;
  }

  /** The newest blocks that can fit, and the task: a run of any length costs as much a state as a short one. */
  #write(): State {
    const blocks: Block[] = [];
    let chars = 0;
    let at = this.#entries.length;
    while (at > 0 && chars <= bounded.maxChars && blocks.length <= MOST_BLOCKS) {
      at -= 1;
      const block = this.#block(this.#entries[at]!)!;
      blocks.push(block);
      chars += size(block);
    }
    blocks.reverse();
    const [first] = this.#entries;
    let left = at;
    if (left > 0 && first === this.#task) {
      const task = this.#block(first)!;
      blocks.unshift(task);
      chars += size(task);
      left -= 1;
    }
    const truncated = left === 0 ? {} : { truncated: { chars: this.#chars - chars, blocks: left } };
    return this.#bounded({ blocks, ...truncated });
  }

  /**
   * Cut to size as the SDK does it. Blocks are redacted already; only one that was cut is looked at again,
   * since a cut can uncover something.
   */
  #bounded(whole: BlockState): State {
    const state = boundBlocks(whole, bounded.maxChars);
    const known = new Set(whole.blocks.map(({ text }) => text));
    const cut = state.blocks.filter(({ text }) => !known.has(text));
    const { state: again, report } = projectState({ blocks: cut }, bounded, this.#session);
    const stable = (again as unknown as BlockState).blocks.every(({ text }, i) => text === cut[i]!.text);
    if (stable) return state as unknown as State;
    this.#count(report.hits);
    return projectState(whole, bounded, this.#session).state as State;
  }
}

/** Numbers and truths as they were before they became text: some rules look at what kind of value a key has. */
function fieldValue(text: string): JsonValue {
  if (!/^(?:true|false|-?\d{1,20}(?:\.\d{1,20})?)$/.test(text)) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text; // a number with a leading zero
  }
}

/** As the SDK counts a block. */
function size(block: Block): number {
  return block.text.length + (block.name?.length ?? 0);
}
