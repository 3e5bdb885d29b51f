import type { AgentRun } from "../runs/agent-run.ts";
import { statusOfError } from "../runs/run-end.ts";
import type { StreamListener } from "./watch-stream.ts";

interface Part {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly textDelta?: unknown;
  readonly error?: unknown;
}

/** What the readers of one result's streams tell about its run. Each stream is a copy of the whole. */
export class ResultWatch {
  readonly #run: AgentRun;
  #reading = 0;
  #finished = false;
  #aborted = false;
  #error: unknown;
  #first: StreamListener | undefined;

  constructor(run: AgentRun) {
    this.#run = run;
  }

  /** A listener for one more stream of the result. */
  listen(): StreamListener {
    this.#reading += 1;
    this.#run.isLeft = false;
    let over = false;
    const once = (work: () => void) => {
      if (over) return;
      over = true;
      this.#reading -= 1;
      this.#run.attempt(work);
    };
    const listener: StreamListener = {
      part: (value) => this.#run.attempt(() => this.#part(value, listener)),
      ended: () => once(() => this.#run.end(this.#aborted ? "aborted" : "complete", this.#error)),
      failed: (error) => once(() => this.#run.end(statusOfError(error, this.#run.signal), error)),
      left: () => once(() => this.#left()),
    };
    this.#first ??= listener;
    return listener;
  }

  /** The run is abandoned when its last reader leaves before the end. */
  #left(): void {
    if (this.#finished) this.#run.end("complete", this.#error);
    else if (this.#aborted) this.#run.end("aborted");
    else if (this.#reading === 0) {
      this.#run.isLeft = true;
      this.#run.end("abandoned");
    }
  }

  #part(value: unknown, listener: StreamListener): void {
    const { type, text, textDelta, error } = (
      typeof value === "object" && value !== null ? value : {}
    ) as Part;
    if (type === "finish") this.#finished = true;
    else if (type === "abort") this.#aborted = true;
    else if (type === "error") this.#error ??= error;
    if (listener !== this.#first) return;
    const delta = typeof value === "string" ? value : type === "text-delta" ? (text ?? textDelta) : undefined;
    if (typeof delta === "string") this.#run.partialText.given(delta);
  }
}
