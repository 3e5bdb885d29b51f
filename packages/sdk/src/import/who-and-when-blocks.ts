import type { Block } from "../schema/index.ts";
import type { WhoAndWhenMessage } from "./who-and-when-record.ts";

const terminals = new Set(["computer_terminal", "computerterminal", "terminal"]);
const people = new Set(["human", "user"]);

/** Who speaks: `name`, or the role up to " (" as in "Orchestrator (thought)"; undefined if neither. */
export function speakerOf({ name, role }: WhoAndWhenMessage): string | undefined {
  const speaker = name?.trim() || role?.split(" (", 1)[0]?.trim();
  return speaker === "" ? undefined : speaker;
}

/**
 * A message as a block: output of the terminal is evidence, the manager's opening message is the
 * plan, everything else is a message.
 */
export function messageBlock(message: WhoAndWhenMessage, index: number, speaker: string): Block {
  const who = speaker.toLowerCase();
  const kind = terminals.has(who) ? "evidence" : index === 0 && !people.has(who) ? "plan" : "message";
  return { kind, name: speaker, text: message.content ?? "" };
}
