import type { Block, Step } from "../../schema/index.ts";
import { isJsonObject } from "../../schema/index.ts";
import type { ChatMessage } from "../chat/chat-message.ts";
import { resultText } from "../chat/content-parts.ts";
import { argumentsText, jsonText } from "../chat/json-text.ts";
import { conversationBlocks, messageBlocks, newConversation } from "../chat/message-blocks.ts";
import { readMessage } from "../chat/read-message.ts";
import { readMessages } from "../chat/read-messages.ts";
import { costOf, foreignStep } from "../foreign-step.ts";
import { isAlike, withKnownStart } from "../same-blocks.ts";
import { StateChain, type StatePair } from "../state-chain.ts";
import { inputOf, isNothing, outputOf, type Observation } from "./observation.ts";
import type { StepObservation } from "./observation-roles.ts";

/** What a run's calls lacked. */
export interface StateLosses {
  /** Model calls whose input holds no message. */
  unreadableInputs: number;
  /** Model calls whose input holds only what is new. */
  partialInputs: number;
  /** Steps without output. */
  withoutOutput: number;
}

/** How far back a tool call is looked for before it is told again. */
const FAR_BACK = 200;

/**
 * The states of one trace, step by step. A model call's input is the state before it. Where the input holds
 * only the newest results, or nothing readable, the state is what calls gave back so far.
 */
export class LangfuseStates {
  readonly chain: StateChain;
  readonly losses: StateLosses = { unreadableInputs: 0, partialInputs: 0, withoutOutput: 0 };
  readonly #question: string;
  readonly #tools = new Map<string, string>();
  #blocks: Block[];
  #steps = 0;
  /** Results that a model was given, and how many replies there were then. */
  readonly #told = new Map<Block, number>();
  #replies = 0;
  /** Calls that a tool's observation was found for; the same call made again is told again. */
  readonly #answered = new Set<Block>();

  constructor(question: string) {
    this.#question = question;
    this.#blocks = question === "" ? [] : [{ kind: "task", text: question }];
    this.chain = StateChain.of(this.#blocks);
  }

  step({ observation, kind }: StepObservation): Step {
    const moved = kind === "llm" && this.#takeInput(observation);
    const calls: { count: number } = { count: 0 };
    const states = kind === "llm" ? this.#reply(observation, calls) : this.#result(observation);
    const index = this.#steps++;
    const { id, name, node, usage, start, end, failed } = observation;
    return foreignStep(
      {
        stepId: id,
        index,
        type: (kind === "llm" ? node : undefined) ?? name,
        kind,
        discontinuity: moved && index > 0,
        failed,
        cost: costOf({
          ...(kind === "llm" && {
            prompt_tokens: usage.input,
            completion_tokens: usage.output,
            tool_calls: calls.count,
          }),
          latency_ms: end - start,
        }),
      },
      states,
      this.chain,
    );
  }

  /** Makes a model call's input the present state; true where that is not what the run had come to. */
  #takeInput(observation: Observation): boolean {
    const messages = readMessages(inputOf(observation), "user");
    if (messages === undefined || messages.every(({ parts }) => parts.length === 0)) {
      this.losses.unreadableInputs += 1;
      return false;
    }
    if (messages.every(({ role }) => role === "tool")) return this.#addResults(messages);
    const given = conversationBlocks(messages, newConversation(this.#question, this.#tools));
    this.#blocks = withKnownStart(this.#blocks, given);
    return this.chain.replace(this.#blocks);
  }

  /** An input of results alone continues a conversation that the model's host keeps. */
  #addResults(messages: readonly ChatMessage[]): boolean {
    this.losses.partialInputs += 1;
    const conversation = newConversation(this.#question, this.#tools);
    const given = messages.flatMap((message) => messageBlocks(message, conversation));
    const recent = this.#blocks.slice(-FAR_BACK);
    const fresh = given.filter((block) => !this.#isTold(block, recent));
    for (const block of fresh) this.#told.set(block, this.#replies);
    for (const block of fresh) this.#blocks.push(block);
    return this.chain.replace(this.#blocks);
  }

  /**
   * True where a tool's own observation has the result, or the same input was sent before. Each stands for one
   * result: two calls that both gave "OK" gave it twice.
   */
  #isTold(given: Block, recent: Block[]): boolean {
    const fits = (known: Block): boolean =>
      isAlike(known, given) && (this.#told.get(known) ?? this.#replies) === this.#replies;
    const named = recent.findIndex((known) => known.name === given.name && fits(known));
    const at = named < 0 ? recent.findIndex(fits) : named;
    if (at < 0) return false;
    this.#told.set(recent[at]!, this.#replies);
    recent.splice(at, 1);
    return true;
  }

  #reply(observation: Observation, calls: { count: number }): StatePair {
    const output = outputOf(observation);
    const read = readMessages(output, "assistant");
    const conversation = newConversation(this.#question, this.#tools);
    conversation.asked = true;
    const blocks =
      read?.flatMap((message) => messageBlocks(message, conversation)) ??
      (isNothing(output)
        ? []
        : [{ kind: "answer", name: "assistant", text: jsonText(output) } satisfies Block]);
    calls.count = blocks.filter(({ kind }) => kind === "tool_call").length;
    if (blocks.length > 0) this.#replies += 1;
    return this.#append(blocks, observation);
  }

  #result(observation: Observation): StatePair {
    const { name, failed } = observation;
    const [input, output] = [inputOf(observation), outputOf(observation)];
    const blocks: Block[] = [];
    if (!isNothing(input)) {
      const call: Block = { kind: "tool_call", name, text: argumentsText(input) };
      const asked = this.#blocks
        .slice(-FAR_BACK)
        .findLast((known) => known.name === name && isAlike(known, call) && !this.#answered.has(known));
      if (asked === undefined) blocks.push(call);
      this.#answered.add(asked ?? call);
    }
    if (!isNothing(output)) blocks.push(resultBlock(output, name, failed));
    return this.#append(blocks, observation, isNothing(output));
  }

  #append(blocks: Block[], { failed, statusMessage }: Observation, empty = blocks.length === 0): StatePair {
    if (empty) this.losses.withoutOutput += 1;
    if (empty && failed && statusMessage !== "")
      blocks.push({ kind: "other", name: "error", text: statusMessage });
    for (const block of blocks) this.#blocks.push(block);
    return this.chain.add(blocks);
  }
}

function resultBlock(output: unknown, name: string, failed: boolean): Block {
  const said = isJsonObject(output) && output["role"] !== "assistant" ? readMessage(output) : undefined;
  const part = said?.[0]?.parts.find(({ is }) => is === "result");
  const isFailed = failed || (part?.is === "result" && part.failed);
  return { kind: isFailed ? "other" : "evidence", name, text: part?.text ?? resultText(output) };
}
