import {
  createRecorder,
  type ProjectionPolicy,
  type Sink,
  type TrajectoryCapture,
} from "@agent-step-value/sdk/capture";

/** A value that every rule about names takes for something to remove, if it takes any. */
const SAMPLES: readonly unknown[] = ["Zq81LmP0xk47Tr93vB", true];
const MOST_NAMES = 1000;

const nowhere: Sink = {
  name: "nowhere",
  open: () => ({ begin: () => ({ end: () => undefined }), close: () => undefined }),
};

/**
 * Tells which channels of a state the SDK's rules about field names look at.
 *
 * Φ reads the names of fields, and a block has none: its channel's name is a text like any other. So
 * a channel with a name that some rule knows must stay a field. Asked of the SDK itself, once a name,
 * so that its rules and the user's own are the only list.
 */
export class ChannelNames {
  readonly #policy: ProjectionPolicy | undefined;
  readonly #plain = new Map<string, boolean>();
  #asked: TrajectoryCapture | undefined;

  constructor(policy: ProjectionPolicy | undefined) {
    this.#policy = policy;
  }

  /** True when no rule looks at fields of this name. */
  isPlain(name: string): boolean {
    let plain = this.#plain.get(name);
    if (plain === undefined) {
      plain = SAMPLES.every((sample) => this.#survives(name, sample));
      if (this.#plain.size >= MOST_NAMES) this.#plain.clear();
      this.#plain.set(name, plain);
    }
    return plain;
  }

  #survives(name: string, value: unknown): boolean {
    const { text } = this.#trajectory().snapshot(Object.fromEntries([[name, value]]));
    return text.includes(JSON.stringify(String(value))) && text.includes(JSON.stringify(name));
  }

  #trajectory(): TrajectoryCapture {
    if (this.#asked === undefined) {
      const { project: _, ...policy } = this.#policy ?? {};
      this.#asked = createRecorder({ sinks: [nowhere], policy }).trajectory();
      // Closed at once: it only reads, and must not wait for anything.
      this.#asked.close();
    }
    return this.#asked;
  }
}
