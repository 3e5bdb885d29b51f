import type { Block, Snapshot, TrajectoryCapture } from "@agent-step-value/sdk/capture";
import { conversationBlocks } from "../projection/conversation-blocks.ts";
import type { ConversationReader } from "../projection/conversation-reader.ts";
import { MediaTexts } from "../projection/media-texts.ts";

/** A state of a run, read once. */
export interface ReadState {
  readonly snapshot: Snapshot;
  /** Absent where the host's own `project` picks from the state. */
  readonly blocks?: readonly Block[];
}

/** The live state of a run, as `project` is given it. */
export interface LiveState {
  readonly messages: readonly unknown[];
}

type Project = (state: LiveState) => unknown;

function isSame(a: readonly Block[], b: readonly Block[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((block, i) => {
    const other = b[i]!;
    return block.text === other.text && block.name === other.name && block.kind === other.kind;
  });
}

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

  /**
   * @param last the newest state of the run: a state that equals it is that one
   * @returns undefined where the state cannot be read, or nobody records it
   */
  read(
    trajectory: TrajectoryCapture,
    messages: readonly unknown[],
    conversation: ConversationReader,
    last: ReadState | undefined,
  ): ReadState | undefined {
    if (!trajectory.recording) return undefined;
    if (this.#byRecorder) return { snapshot: trajectory.snapshot({ messages }) };
    if (this.#project !== undefined) {
      try {
        return { snapshot: trajectory.snapshot(pickedBlocks(this.#project({ messages }))) };
      } catch {
        // The host's own recorder has no way to be told; the step stands without this state.
        return undefined;
      }
    }
    const blocks = conversation.read(messages);
    if (last?.blocks !== undefined && (last.blocks === blocks || isSame(blocks, last.blocks))) return last;
    return { blocks, snapshot: trajectory.snapshot({ blocks }) };
  }
}
