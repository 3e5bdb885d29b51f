import type { Snapshot, StateWriter } from "@agent-step-value/sdk/capture";
import { Conversation } from "./conversation-blocks.ts";
import type { MediaTexts } from "./media-texts.ts";
import { hasShape, NO_SHAPE, shapeOf, type Shape } from "./shape.ts";

function isUnchanged(message: unknown, shape: Shape): boolean {
  try {
    return hasShape(message, shape);
  } catch {
    return false;
  }
}

function takenShape(message: unknown): Shape {
  try {
    return shapeOf(message);
  } catch {
    return NO_SHAPE;
  }
}

/**
 * Reads the growing conversation of one run again and again, each message once.
 *
 * A message that was read before is compared with what it was made of then, as it may be another object
 * that says the same (the SDK clones them), or the same object that says something else (the host changed
 * it).
 */
export class ConversationReader {
  readonly #media: MediaTexts;
  readonly #state: StateWriter;
  #conversation: Conversation;
  #shapes: Shape[] = [];

  /** @param state gets the blocks of the conversation */
  constructor(media: MediaTexts, state: StateWriter) {
    this.#media = media;
    this.#state = state;
    this.#conversation = new Conversation(media);
  }

  /** The state that a conversation is: the same as the last time where it says the same. */
  read(messages: readonly unknown[]): Snapshot {
    if (!this.#grows(messages)) {
      this.#conversation = new Conversation(this.#media);
      this.#shapes = [];
      this.#state.clear();
    }
    for (let i = this.#shapes.length; i < messages.length; i += 1) {
      const message = messages[i];
      for (const { kind, name, text } of this.#conversation.next(message)) this.#state.add(kind, name, text);
      this.#shapes.push(takenShape(message));
    }
    return this.#state.snapshot();
  }

  #grows(messages: readonly unknown[]): boolean {
    const shapes = this.#shapes;
    if (messages.length < shapes.length) return false;
    for (let i = 0; i < shapes.length; i += 1) if (!isUnchanged(messages[i], shapes[i]!)) return false;
    return true;
  }
}
