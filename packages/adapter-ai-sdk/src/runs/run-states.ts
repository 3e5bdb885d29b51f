import type { Snapshot, TrajectoryCapture } from "@agent-step-value/sdk/capture";
import { ConversationReader } from "../projection/conversation-reader.ts";
import type { MediaTexts } from "../projection/media-texts.ts";
import type { StateReader } from "./state-reader.ts";

/** The conversation of a run as it grows, and the state that each stage of it is. */
export class RunStates {
  readonly trajectory: TrajectoryCapture;
  readonly media: MediaTexts;
  readonly #reader: StateReader;
  readonly #conversation: ConversationReader;
  #messages: readonly unknown[] | undefined;

  constructor(trajectory: TrajectoryCapture, reader: StateReader, media: MediaTexts) {
    this.trajectory = trajectory;
    this.media = media;
    this.#reader = reader;
    this.#conversation = new ConversationReader(media, trajectory.stateWriter());
  }

  /** The conversation after the newest event; undefined while it is not known. */
  get messages(): readonly unknown[] | undefined {
    return this.#messages;
  }

  /** The conversation is now this: gives its state, which is absent where it cannot be read. */
  reach(messages: readonly unknown[] | undefined): Snapshot | undefined {
    this.#messages = messages;
    if (messages === undefined) return undefined;
    return this.#reader.read(this.trajectory, messages, this.#conversation);
  }
}
