import { isJsonObject, type JsonObject } from "../../schema/index.ts";
import { readMessage } from "../chat/read-message.ts";
import type { Attachments } from "./attachments.ts";
import { eventSpans, type EventSpans } from "./event-spans.ts";
import type { InspectStates } from "./inspect-states.ts";
import { PatchedDocument } from "./json-patch.ts";

/** What a transcript lacked, and what was left out of it. */
export interface TranscriptLosses {
  /** Events of scorers, which were told the target. */
  scorerEvents: number;
  /** Model calls that failed, or never came back. */
  withoutOutput: number;
  /** Lists of changes that did not fit the state. */
  badPatches: number;
  /** Lists of changes that did. */
  stateEvents: number;
}

/** Events in events (tools and subtasks of older logs) are read to this depth. */
const MOST_DEPTH = 8;
/** Messages of one input that are looked up in the sample's pool. */
const MOST_POOLED = 200_000;

/** Walks the events of a sample in their order and makes steps of its model and tool calls. */
export class InspectTranscript {
  readonly losses: TranscriptLosses = { scorerEvents: 0, withoutOutput: 0, badPatches: 0, stateEvents: 0 };
  readonly #states: InspectStates;
  readonly #attachments: Attachments;
  readonly #pool: readonly unknown[];
  readonly #spans: EventSpans;
  /** Messages of the pool are resolved once, so that the same message stays the same object. */
  readonly #resolved = new Map<unknown, unknown>();
  readonly #waiting = new Map<string, [id: string, event: JsonObject][]>();
  #task: PatchedDocument | undefined;
  #store = new PatchedDocument({});
  #scoring = 0;
  readonly #ids = new Set<string>();

  constructor(sample: JsonObject, states: InspectStates, attachments: Attachments) {
    this.#states = states;
    this.#attachments = attachments;
    this.#pool = poolOf(sample);
    this.#spans = eventSpans(listOf(sample["events"]));
  }

  read(events: readonly unknown[], depth = 0): void {
    for (const event of events) if (isJsonObject(event)) this.#event(event, depth);
    if (depth > 0) return;
    for (const id of this.#waiting.keys()) this.#endOfSpan(id);
  }

  #event(event: JsonObject, depth: number): void {
    const kind = event["event"];
    if (kind === "step" && event["type"] === "scorer") this.#scoring += event["action"] === "begin" ? 1 : -1;
    if (kind === "span_end" && typeof event["id"] === "string") return this.#endOfSpan(event["id"]);
    if (this.#scoring > 0 || this.#spans.isOfScorer(event)) {
      if (kind === "model" || kind === "tool") this.losses.scorerEvents += 1;
      return;
    }
    switch (kind) {
      case "sample_init":
        return this.#init(event["state"]);
      case "state":
        return this.#changeTask(event["changes"]);
      case "store":
        return this.#changeStore(event["changes"]);
      case "subtask":
        return depth < MOST_DEPTH ? this.read(listOf(event["events"]), depth + 1) : undefined;
      case "model":
        return this.#model(event);
      case "tool":
        return this.#tool(event, depth);
      default:
    }
  }

  #init(state: unknown): void {
    if (!isJsonObject(state)) return;
    this.#task = new PatchedDocument(state);
    this.#states.take(this.#all(listOf(state["messages"])));
    if (isJsonObject(state["store"])) this.#showStore(new PatchedDocument(state["store"]));
  }

  #changeTask(changes: unknown): void {
    if (this.#task === undefined) return;
    if (!this.#task.apply(changes)) {
      this.losses.badPatches += 1;
      this.#task = undefined;
      return;
    }
    this.losses.stateEvents += 1;
    const state = this.#task.value;
    if (!isJsonObject(state)) return;
    this.#states.take(this.#all(listOf(state["messages"])));
    if (isJsonObject(state["store"])) this.#showStore(new PatchedDocument(state["store"]));
  }

  #changeStore(changes: unknown): void {
    if (!this.#store.apply(changes)) {
      this.losses.badPatches += 1;
      this.#store = new PatchedDocument({});
    } else this.losses.stateEvents += 1;
    this.#showStore(this.#store);
  }

  #showStore(store: PatchedDocument): void {
    this.#store = store;
    const value = store.value;
    if (isJsonObject(value)) this.#states.store(this.#attachments.resolve(value) as JsonObject);
  }

  #model(event: JsonObject): void {
    const { output } = event;
    const choice = isJsonObject(output) ? listOf(output["choices"])[0] : undefined;
    const message = isJsonObject(choice) ? readMessage(this.#one(choice["message"]))?.[0] : undefined;
    if (message === undefined || typeof event["error"] === "string") {
      this.losses.withoutOutput += 1;
      return;
    }
    this.#states.model(this.#idOf(event), this.#input(event), message, event);
  }

  #tool(event: JsonObject, depth: number): void {
    const inner = listOf(event["events"]);
    if (inner.length > 0 && depth < MOST_DEPTH) this.read(inner, depth + 1);
    if (event["pending"] === true) {
      this.losses.withoutOutput += 1;
      return;
    }
    const id = this.#idOf(event);
    const span = this.#spans.endOfTool(event);
    if (span === undefined) return this.#states.tool(id, this.#one(event) as JsonObject);
    this.#waiting.set(span, [...(this.#waiting.get(span) ?? []), [id, event]]);
  }

  /** An agent that ran as a tool gives its result when it is done. */
  #endOfSpan(span: string): void {
    for (const [id, event] of this.#waiting.get(span) ?? []) {
      this.#states.tool(id, this.#one(event) as JsonObject);
    }
    this.#waiting.delete(span);
  }

  /** What a model was given: in the event, or as ranges of the sample's pool of messages. */
  #input(event: JsonObject): unknown[] {
    const refs = event["input_refs"];
    if (!Array.isArray(refs)) return this.#all(listOf(event["input"]));
    const found: unknown[] = [];
    for (const range of refs) {
      const [from, to] = listOf(range);
      if (typeof from !== "number" || typeof to !== "number" || !(from >= 0)) continue;
      for (const message of this.#pool.slice(from, Math.min(to, from + MOST_POOLED - found.length)))
        found.push(message);
    }
    return this.#all(found);
  }

  #all(messages: readonly unknown[]): unknown[] {
    return messages.map((message) => this.#one(message));
  }

  #one(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    let known = this.#resolved.get(value);
    if (known === undefined) {
      known = this.#attachments.resolve(value as JsonObject);
      this.#resolved.set(value, known);
    }
    return known;
  }

  #idOf({ uuid }: JsonObject): string {
    let id = typeof uuid === "string" && uuid !== "" ? uuid : `event-${this.#ids.size + 1}`;
    for (let n = this.#ids.size + 1; this.#ids.has(id); n++) id = `event-${n}`;
    this.#ids.add(id);
    return id;
  }
}

function poolOf(sample: JsonObject): readonly unknown[] {
  const data = sample["events_data"];
  return listOf(isJsonObject(data) ? (data["messages"] ?? data["message_pool"]) : sample["message_pool"]);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
