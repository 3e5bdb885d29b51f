import type { Block } from "@agent-step-value/sdk/capture";
import { Conversation } from "./conversation-blocks.ts";
import type { MediaTexts } from "./media-texts.ts";
import { hasShape, shapeOf, type Shape } from "./shape.ts";

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
    return Number.NaN;
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
  #conversation: Conversation;
  #shapes: Shape[] = [];
  #blocks: readonly Block[] = [];

  constructor(media: MediaTexts) {
    this.#media = media;
    this.#conversation = new Conversation(media);
  }

  /** The blocks of a conversation: the same list as the last time where it says the same. */
  read(messages: readonly unknown[]): readonly Block[] {
    const known = this.#shapes.length;
    const grows =
      messages.length >= known && this.#shapes.every((shape, i) => isUnchanged(messages[i], shape));
    if (grows && messages.length === known && known > 0) return this.#blocks;
    if (!grows) {
      this.#conversation = new Conversation(this.#media);
      this.#shapes = [];
    }
    for (let i = this.#shapes.length; i < messages.length; i += 1) {
      this.#conversation.add(messages[i]);
      this.#shapes.push(takenShape(messages[i]));
    }
    this.#blocks = this.#conversation.blocks.slice();
    return this.#blocks;
  }
}
