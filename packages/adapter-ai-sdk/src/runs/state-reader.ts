import type { Snapshot, TrajectoryCapture } from "@agent-step-value/sdk/capture";
import { conversationBlocks } from "../projection/conversation-blocks.ts";
import type { ConversationReader } from "../projection/conversation-reader.ts";
import { MediaTexts } from "../projection/media-texts.ts";

/** The live state of a run, as `project` is given it. */
export interface LiveState {
  readonly messages: readonly unknown[];
}

type Project = (state: LiveState) => unknown;

/** Blocks of what a host's `project` picked; what is no state is passed on for the recorder to refuse. */
export function pickedBlocks(picked: unknown): unknown {
  const { messages } = Object(picked) as { messages?: unknown };
  if (!Array.isArray(messages) || Object.keys(picked as object).length > 1) return picked;
  return { blocks: conversationBlocks(messages, new MediaTexts()) };
}

/** Reads the conversation of a run as a state of its trajectory. */
export class StateReader {
  readonly #project: Project | undefined;
  readonly #byRecorder: boolean;

  /** @param byRecorder true where the recorder itself calls `project` */
  constructor(project: Project | undefined, byRecorder: boolean) {
    this.#project = project;
    this.#byRecorder = byRecorder;
  }

  /** @returns undefined where the state cannot be read, or nobody records it */
  read(
    trajectory: TrajectoryCapture,
    messages: readonly unknown[],
    conversation: ConversationReader,
  ): Snapshot | undefined {
    if (!trajectory.recording) return undefined;
    if (this.#byRecorder) return trajectory.snapshot({ messages });
    if (this.#project === undefined) return conversation.read(messages);
    try {
      return trajectory.snapshot(pickedBlocks(this.#project({ messages })));
    } catch {
      // The host's own recorder has no way to be told; the step stands without this state.
      return undefined;
    }
  }
}
