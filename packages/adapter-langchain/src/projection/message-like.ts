/**
 * What a LangChain message has in every installed version.
 *
 * Recognised by its shape, never by `instanceof`: a host may have two copies of `@langchain/core`,
 * and a message of one is no instance of the other's classes.
 */
export interface MessageLike {
  readonly content?: unknown;
  readonly name?: unknown;
  /** `AIMessage`: what the model asks its tools. */
  readonly tool_calls?: unknown;
  /** `ToolMessage`: `success` or `error`. */
  readonly status?: unknown;
  readonly usage_metadata?: unknown;
  getType?(): string;
  _getType?(): string;
}

/** True for a message object of any copy of LangChain. Never throws. */
export function isMessage(value: unknown): value is MessageLike {
  if (typeof value !== "object" || value === null) return false;
  try {
    const message = value as { getType?: unknown; _getType?: unknown };
    return typeof message.getType === "function" || typeof message._getType === "function";
  } catch {
    return false;
  }
}

/** Plain `{role, content}` input and its role in LangChain's words; node states hold only messages. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ["user", "human"],
  ["human", "human"],
  ["assistant", "ai"],
  ["ai", "ai"],
  ["system", "system"],
  ["developer", "system"],
  ["tool", "tool"],
  ["function", "tool"],
]);

/** A message of any form a caller may pass: a message object, or `{role, content}`. */
export function isMessageInput(value: unknown): value is MessageLike {
  if (isMessage(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  const { role, content } = value as { role?: unknown; content?: unknown };
  return typeof role === "string" && ROLES.has(role) && content !== undefined;
}

/** `human`, `ai`, `tool`, `system`, or another short word that the message gives. */
export function messageRole(message: MessageLike): string {
  const { role } = message as { role?: unknown };
  const plain = typeof role === "string" ? ROLES.get(role) : undefined;
  const type = message.getType?.() ?? message._getType?.() ?? plain;
  return typeof type === "string" ? type : "unknown";
}
