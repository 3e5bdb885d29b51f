import { isMessage, type MessageLike } from "../projection/message-like.ts";

type Channels = Readonly<Record<string, unknown>>;

function isChannels(value: unknown): value is Channels {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The channel updates in what a node returned: an object, a Command, or a list of either. */
function updatesIn(output: unknown): Channels[] {
  if (Array.isArray(output)) return output.flatMap(updatesIn);
  if (!isChannels(output)) return [];
  // LangChain wraps a result that is no object of channels before it reaches a handler.
  const wrapped = Object.keys(output).length === 1 ? output["output"] : undefined;
  if (Array.isArray(wrapped)) return updatesIn(wrapped);
  if (output["lg_name"] === "Command") return updatesIn(output["update"]);
  return output["lg_name"] === "Send" ? [] : [output];
}

function messageId(message: unknown): unknown {
  return (message as { id?: unknown } | null)?.id;
}

/** Messages as LangGraph's own reducer merges them: same id replaces, a removal removes, the rest is added. */
function mergedMessages(before: readonly unknown[], added: readonly unknown[]): unknown[] {
  const merged = [...before];
  for (const message of added) {
    const id = messageId(message);
    const at = id === undefined ? -1 : merged.findIndex((other) => messageId(other) === id);
    const removes = (message as MessageLike).getType?.() === "remove";
    if (removes) {
      if (id === "__remove_all__") merged.length = 0;
      else if (at >= 0) merged.splice(at, 1);
    } else if (at >= 0) merged[at] = message;
    else merged.push(message);
  }
  return merged;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function mergedChannel(before: unknown, update: unknown): unknown {
  const isConversation = Array.isArray(before) && (before.some(isMessage) || asList(update).some(isMessage));
  if (isConversation) return mergedMessages(before, asList(update));
  return Array.isArray(before) && Array.isArray(update) ? [...before, ...update] : update;
}

/** Names of the channels that some output writes. */
export function writtenChannels(outputs: readonly unknown[]): Set<string> {
  return new Set(outputs.flatMap(updatesIn).flatMap((update) => Object.keys(update)));
}

/**
 * A state with the outputs of its tasks written into it, in their order: an estimate for the steps
 * whose after-state no later run shows. Messages merge by id, lists are joined, anything else is
 * replaced, whatever the graph's own reducers do. The caller marks such a state `update-only`.
 */
export function foldUpdate(before: unknown, outputs: readonly unknown[]): unknown {
  if (!isChannels(before)) return before;
  const state: Record<string, unknown> = { ...before };
  for (const update of outputs.flatMap(updatesIn)) {
    for (const [name, value] of Object.entries(update)) state[name] = mergedChannel(state[name], value);
  }
  return state;
}
