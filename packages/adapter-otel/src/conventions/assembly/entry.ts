import type { Block } from "@agent-step-value/sdk";
import type { Piece } from "../messages/piece.ts";
import { normalText } from "../messages/normal-text.ts";
import { rankedStretches } from "./ranked-stretches.ts";

/**
 * One block of the run's transcript. An entry is written once and shown in every state after it; its
 * text may still be set while the run is planned, when a later call shows what the agent really saw.
 */
export interface Entry {
  readonly is: Piece["is"];
  /** What it is compared by: same key, same piece. */
  readonly key: string;
  /** Id of the call, for calls and results. */
  id: string | undefined;
  readonly name: string | undefined;
  readonly block: Omit<Block, "text">;
  /** Undefined for a result that nobody recorded; such an entry is shown only once it is known. */
  text: string | undefined;
  /** True where a later history need not hold it: nobody was shown it as a message. */
  readonly loose: boolean;
  /** True once the text is the one a model call was given. */
  seen: boolean;
}

/** Texts in one spelling, for comparing alone. */
function plain(text: string): string {
  return text.replaceAll("\r\n", "\n").trim();
}

export function keyOf(piece: Piece): string {
  switch (piece.is) {
    case "text":
      return `text\0${piece.role}\0${plain(piece.text)}`;
    case "call":
      return piece.id === undefined
        ? `call\0\0${piece.name}\0${normalText(piece.args)}`
        : `call\0${piece.id}\0${piece.name}`;
    case "result":
      return piece.id === undefined ? `result\0\0${plain(piece.text ?? "")}` : `result\0${piece.id}`;
    case "reasoning":
      return `reasoning\0${plain(piece.text)}`;
    case "field":
      return `field\0${piece.name ?? ""}\0${plain(piece.text)}`;
  }
}

function named(kind: Block["kind"], name: string | undefined): Omit<Block, "text"> {
  return name === undefined || name === "" ? { kind } : { kind, name };
}

/** Kind and name of a piece's block, as the live adapters give them. */
function blockOf(piece: Piece, speaker: string, acts: boolean): Omit<Block, "text"> {
  switch (piece.is) {
    case "text":
      if (piece.role !== "assistant") return named("message", piece.name ?? piece.role);
      // LangChain names every answer of an agent without a name "model", which says nothing.
      return named(acts ? "reasoning" : "answer", piece.name === "model" ? speaker : (piece.name ?? speaker));
    case "call":
      return named("tool_call", piece.name);
    case "result":
      // What a failing tool says is no evidence about the question.
      return named(piece.failed === true ? "other" : "evidence", piece.name ?? "tool");
    case "reasoning":
      return named("reasoning", speaker);
    case "field":
      return named(piece.kind, piece.name);
  }
}

/** True for what a model says in its turn. */
export function isSaid({ is, key }: Entry): boolean {
  return is === "call" || is === "reasoning" || key.startsWith("text\0assistant");
}

export function entryOf(piece: Piece, speaker: string, { acts = false, loose = false } = {}): Entry {
  return {
    is: piece.is,
    key: keyOf(piece),
    id: piece.is === "call" || piece.is === "result" ? piece.id : undefined,
    name: piece.is === "call" || piece.is === "result" || piece.is === "field" ? piece.name : undefined,
    block: blockOf(piece, speaker, acts),
    text: piece.is === "call" ? piece.args : piece.text,
    loose: loose || piece.is === "reasoning",
    seen: false,
  };
}

/** A result under the name of the tool that gave it, where its message has none. */
export function namedResult(entry: Entry, tool: string): Entry {
  return entry.name === undefined ? { ...entry, name: tool, block: { ...entry.block, name: tool } } : entry;
}

/**
 * The pieces of messages as entries. What an assistant says beside its calls is reasoning; what it says
 * without any is an answer. Results take the name of the call they answer, and those of one tool that stand side by side
 * the order of their calls, where ids tell it: a state shows no ids.
 */
export function entriesOf(pieces: readonly Piece[], speaker: string): Entry[] {
  const acts = actingTexts(pieces);
  const names = new Map<string, string>();
  const entries: Entry[] = [];
  for (const piece of pieces) {
    if (piece.is === "call" && piece.id !== undefined) names.set(piece.id, piece.name);
    const name = piece.is === "result" && piece.id !== undefined ? names.get(piece.id) : undefined;
    const whole =
      piece.is === "result" && piece.name === undefined && name !== undefined ? { ...piece, name } : piece;
    entries.push(entryOf(whole, speaker, { acts: acts.has(piece) }));
  }
  return resultsInCallOrder(entries);
}

function resultsInCallOrder(entries: readonly Entry[]): Entry[] {
  const ranks = new Map<Entry, { group: string; rank: number }>();
  const calls = new Map<string, { group: string; rank: number }>();
  entries.forEach(({ is, id, name }, rank) => {
    if (id === undefined) return;
    if (is === "call") calls.set(id, { group: name ?? "", rank });
    // Some providers number calls anew each turn: the last call of the id before the result is meant.
    const call = is === "result" ? calls.get(id) : undefined;
    if (call !== undefined) ranks.set(entries[rank]!, call);
  });
  return rankedStretches(
    entries,
    ({ is }) => is === "result",
    (entry) => ranks.get(entry),
  );
}

/** Assistant texts with a call in the same turn: some providers list text and calls as messages of their own. */
function actingTexts(pieces: readonly Piece[]): ReadonlySet<Piece> {
  const acting = new Set<Piece>();
  let turn: Piece[] = [];
  let calls = false;
  const close = (): void => {
    if (calls) for (const piece of turn) acting.add(piece);
    turn = [];
    calls = false;
  };
  for (const piece of pieces) {
    const spoken = piece.is === "text" && piece.role === "assistant";
    if (spoken) turn.push(piece);
    else if (piece.is === "call") calls = true;
    else if (piece.is !== "reasoning") close();
  }
  close();
  return acting;
}
