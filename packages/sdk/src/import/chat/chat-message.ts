/** A readable piece of a message. */
export type ChatPart =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "reasoning"; readonly text: string }
  | { readonly is: "call"; readonly id?: string; readonly name: string; readonly text: string }
  | {
      readonly is: "result";
      /** Id of the call it answers. */
      readonly id?: string;
      readonly name?: string;
      readonly text: string;
      readonly failed: boolean;
    };

/** One message of a conversation, in one form whatever wrote it. */
export interface ChatMessage {
  /** system, user, assistant, tool; any other word is who speaks. */
  readonly role: string;
  readonly name?: string;
  readonly parts: readonly ChatPart[];
}

const ROLES = new Map([
  ["human", "user"],
  ["ai", "assistant"],
  ["model", "assistant"],
  ["function", "tool"],
  ["developer", "system"],
  ["humanmessage", "user"],
  ["aimessage", "assistant"],
  ["systemmessage", "system"],
  ["toolmessage", "tool"],
  ["humanmessagechunk", "user"],
  ["aimessagechunk", "assistant"],
]);

/** The role in the words of {@link ChatMessage}. */
export function chatRole(role: string): string {
  const word = role.trim().toLowerCase();
  return ROLES.get(word) ?? word;
}

/** Texts of a message as one, without reasoning, calls and results. */
export function messageText({ parts }: ChatMessage): string {
  return parts
    .filter((part) => part.is === "text")
    .map(({ text }) => text)
    .join("\n");
}
