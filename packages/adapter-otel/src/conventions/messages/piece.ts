import type { BlockKind } from "@agent-step-value/sdk";

export type Role = "system" | "user" | "assistant" | "other";

/**
 * One piece of what a call was given or gave: messages of every dialect, flattened. Only what is here
 * can come into a state; ids serve to join a call with its result and are never shown.
 */
export type Piece =
  | { readonly is: "text"; readonly role: Role; readonly text: string; readonly name?: string }
  | { readonly is: "reasoning"; readonly text: string }
  | { readonly is: "call"; readonly id?: string; readonly name: string; readonly args: string }
  | {
      readonly is: "result";
      readonly id?: string;
      readonly name?: string;
      /** Undefined where it is known only that the call came back. */
      readonly text: string | undefined;
      readonly failed?: boolean;
    }
  | { readonly is: "field"; readonly kind: BlockKind; readonly name?: string; readonly text: string };

/** The text of the last message of a user: what a run was asked. */
export function lastAsked(pieces: readonly Piece[]): string | undefined {
  for (let i = pieces.length - 1; i >= 0; i -= 1) {
    const piece = pieces[i]!;
    if (piece.is === "text" && piece.role === "user" && !piece.text.startsWith("data:")) return piece.text;
  }
  return undefined;
}
