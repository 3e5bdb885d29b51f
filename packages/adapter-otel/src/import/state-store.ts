import { DigestIndex } from "./digest-index.ts";
import { TemporaryFile } from "./temporary-file.ts";

/** Where the text of a state came from. */
export type StateOrigin = "log" | "local";

/** A state found by its digest. */
export interface StoredState {
  readonly text: string;
  readonly origin: StateOrigin;
  /** Written by the toolkit itself, which redacts first. */
  readonly own: boolean;
}

const BUFFERED = 1 << 22;
/** Before the text: a letter for the origin and one for its writer. */
const MARKS = 2;

/** Texts of states by digest, each once, in a temporary file but for the newest. */
export class StateStore {
  readonly #index = new DigestIndex();
  readonly #file: TemporaryFile;
  #buffer: Buffer[] = [];
  #held = 0;

  constructor(directory: string | undefined) {
    this.#file = new TemporaryFile(directory);
  }

  /** Distinct states. */
  get size(): number {
    return this.#index.size;
  }

  /** Keeps a text whose digest was checked; without effect where it is there already. */
  put(sha256: string, { text, origin, own }: StoredState): void {
    if (this.#index.get(sha256) !== undefined) return;
    const bytes = Buffer.from(`${origin === "log" ? "G" : "L"}${own ? "O" : "F"}${text}`);
    this.#index.set(sha256, { at: this.#file.size + this.#held, length: bytes.length });
    this.#buffer.push(bytes);
    this.#held += bytes.length;
    if (this.#held > BUFFERED) this.#flush();
  }

  get(sha256: string): StoredState | undefined {
    const kept = this.#index.get(sha256);
    if (kept === undefined) return undefined;
    if (kept.at + kept.length > this.#file.size) this.#flush();
    const text = this.#file.read(kept.at, kept.length).toString("utf8");
    return {
      text: text.slice(MARKS),
      origin: text.startsWith("G") ? "log" : "local",
      own: text[1] === "O",
    };
  }

  close(): void {
    this.#file.close();
    this.#buffer = [];
  }

  #flush(): void {
    this.#file.append(Buffer.concat(this.#buffer, this.#held));
    this.#buffer = [];
    this.#held = 0;
  }
}
