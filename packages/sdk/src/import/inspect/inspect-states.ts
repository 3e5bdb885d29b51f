import {
  isJsonObject,
  stateSha256,
  type Block,
  type JsonObject,
  type State,
  type Step,
} from "../../schema/index.ts";
import type { ChatMessage } from "../chat/chat-message.ts";
import { resultText } from "../chat/content-parts.ts";
import { argumentsText, jsonText } from "../chat/json-text.ts";
import { messageBlocks, newConversation } from "../chat/message-blocks.ts";
import { readMessage } from "../chat/read-message.ts";
import { costOf, foreignStep } from "../foreign-step.ts";
import { isAlike } from "../same-blocks.ts";
import { StateChain, type StatePair } from "../state-chain.ts";

/** How far back a tool call is looked for before it is told again. */
const FAR_BACK = 200;

/**
 * The states of one sample, step by step: its conversation, and its store where it holds anything. A model
 * call's recorded input is the state before it, whatever happened to the conversation in between.
 */
export class InspectStates {
  readonly chain: StateChain;
  readonly steps: Step[] = [];
  readonly #question: string;
  readonly #tools = new Map<string, string>();
  /** The messages the state was last given as, and whether the task is among them. */
  #given: readonly unknown[] = [];
  #asked = false;
  readonly #blocks: Block[] = [];
  /** How many of the blocks those messages made; the rest came since. */
  #givenBlocks = 0;
  #store: Block | undefined;
  #lastAfter: State | undefined;

  constructor(question: string, messages: readonly unknown[]) {
    this.#question = question;
    this.chain = new StateChain();
    this.take(messages);
  }

  /** Blocks of the conversation as it stands. */
  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  /**
   * Makes these messages the present state. A list that continues the one given before costs what is new in
   * it: transcripts repeat the whole conversation for every call.
   */
  take(messages: readonly unknown[]): void {
    const continues =
      messages.length >= this.#given.length && this.#given.every((message, i) => message === messages[i]);
    const fresh = (continues ? messages.slice(this.#given.length) : messages).flatMap(
      (raw) => readMessage(raw) ?? [],
    );
    const conversation = newConversation(this.#question, this.#tools);
    conversation.asked = continues && this.#asked;
    const made = fresh.flatMap((message) => messageBlocks(message, conversation));
    if (!conversation.asked && this.#question !== "") {
      made.unshift({ kind: "task", text: this.#question });
      conversation.asked = true;
    }
    this.#put(continues ? this.#givenBlocks : 0, made);
    this.#givenBlocks = this.#blocks.length;
    this.#given = messages;
    this.#asked = conversation.asked;
  }

  /** Makes these blocks all there is from a place on; those that are as before stay the same objects. */
  #put(from: number, blocks: readonly Block[]): void {
    let at = from;
    for (const block of blocks) {
      if (at >= this.#blocks.length || !isAlike(this.#blocks[at]!, block)) break;
      at += 1;
    }
    if (at === this.#blocks.length && at - from === blocks.length) return;
    this.#blocks.length = at;
    for (const block of blocks.slice(at - from)) this.#blocks.push(block);
    this.#show();
  }

  /** Sets the store; an empty one is not shown. */
  store(store: JsonObject): void {
    const { target: _, targets: __, ...shown } = store;
    const isEmpty = Object.keys(shown).length === 0;
    this.#store = isEmpty ? undefined : { kind: "other", name: "store", text: jsonText(shown) };
    this.#show();
  }

  model(stepId: string, input: readonly unknown[], message: ChatMessage, event: JsonObject): void {
    this.take(input);
    const { output } = event;
    const usage = isJsonObject(output) && isJsonObject(output["usage"]) ? output["usage"] : {};
    const conversation = newConversation(this.#question, this.#tools);
    conversation.asked = true;
    const seconds = isJsonObject(output) ? output["time"] : undefined;
    const cost = costOf({
      prompt_tokens: usage["input_tokens"],
      completion_tokens: usage["output_tokens"],
      tool_calls: message.parts.filter(({ is }) => is === "call").length,
      latency_ms: typeof seconds === "number" ? seconds * 1000 : undefined,
    });
    this.#step(stepId, "generate", "llm", cost, messageBlocks(message, conversation), false);
  }

  tool(stepId: string, event: JsonObject): void {
    const name =
      typeof event["function"] === "string" && event["function"] !== "" ? event["function"] : "tool";
    const call: Block = { kind: "tool_call", name, text: argumentsText(event["arguments"] ?? {}) };
    const told = this.#blocks.slice(-FAR_BACK).some((known) => known.name === name && isAlike(known, call));
    const { error, result } = event;
    const complaint = isJsonObject(error) && typeof error["message"] === "string" ? error["message"] : "";
    const failed = isJsonObject(error);
    const said = [resultText(result ?? ""), complaint].filter((text) => text !== "").join("\n");
    const answer: Block = { kind: failed ? "other" : "evidence", name, text: said };
    const seconds = event["working_time"];
    const cost = costOf({ latency_ms: typeof seconds === "number" ? seconds * 1000 : undefined });
    this.#step(stepId, name, "tool", cost, [...(told ? [] : [call]), answer], failed);
  }

  #step(
    stepId: string,
    type: string,
    kind: "llm" | "tool",
    cost: JsonObject,
    blocks: readonly Block[],
    failed: boolean,
  ): void {
    const stateBefore = this.chain.state;
    for (const block of blocks) this.#blocks.push(block);
    if (this.#store === undefined) this.chain.add(blocks);
    else this.#show();
    const states: StatePair = { stateBefore, stateAfter: this.chain.state };
    const index = this.steps.length;
    const discontinuity = this.#lastAfter !== undefined && !isSame(this.#lastAfter, stateBefore);
    this.#lastAfter = states.stateAfter;
    this.steps.push(
      foreignStep({ stepId, index, type, kind, cost, failed, discontinuity }, states, this.chain),
    );
  }

  #show(): void {
    this.chain.replace(this.#store === undefined ? this.#blocks : [...this.#blocks, this.#store]);
  }
}

function isSame(a: State, b: State): boolean {
  return a === b || stateSha256(a) === stateSha256(b);
}
