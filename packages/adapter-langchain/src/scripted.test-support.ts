import { setTimeout as wait } from "node:timers/promises";
import { memorySink, type JsonObject, type MemorySink } from "@agent-step-value/sdk/capture";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, createAgent, tool } from "langchain";
import { z } from "zod";

type Script = (messages: BaseMessage[]) => AIMessage | Error | Promise<AIMessage>;

/** A chat model that answers by a function of what it is given; runs may share it. */
export class ScriptedModel extends BaseChatModel {
  readonly #script: Script;

  constructor(script: Script) {
    super({});
    this.#script = script;
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]) {
    const message = await this.#script(messages);
    if (message instanceof Error) throw message;
    return { generations: [{ text: message.text, message }] };
  }
}

export function toolCount(messages: readonly BaseMessage[]): number {
  return messages.filter((message) => message.getType() === "tool").length;
}

type Call = { id: string; name: string; args: Record<string, unknown> };

/** A model's message with the tokens it reports; LangChain's own type of it knows no usage. */
export function says(content: string, ...tool_calls: Call[]): AIMessage {
  const usage_metadata = { input_tokens: 10, output_tokens: 4, total_tokens: 14 };
  return new AIMessage({ content, tool_calls, usage_metadata } as never);
}

/** Asks for two searches at once, then for a third, then answers. The slower search is called first. */
export function searchingModel(): ScriptedModel {
  return new ScriptedModel((messages) => {
    switch (toolCount(messages)) {
      case 0:
        return says(
          "Two places to look.",
          { id: "call-1", name: "search", args: { query: "slow" } },
          { id: "call-2", name: "search", args: { query: "fast" } },
        );
      case 2:
        return says("", { id: "call-3", name: "lookup", args: { key: "harbour" } });
      default:
        return says("The lamp is green.");
    }
  });
}

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** Opened by the next `fast` search that ends. */
let fastEnds = gate();

/** A `slow` search ends after the `fast` one that is called beside it, however busy the machine is. */
export const search = tool(
  async ({ query }: { query: string }) => {
    if (query === "slow") {
      // Called alone, it has nothing to wait for.
      await Promise.race([fastEnds.opened, wait(1000, undefined, { ref: false })]);
      await wait(15);
    } else {
      await wait(2);
      fastEnds.open();
      fastEnds = gate();
    }
    return `found ${query}`;
  },
  { name: "search", description: "Searches.", schema: z.object({ query: z.string() }) },
);

export const lookup = tool(async ({ key }: { key: string }) => `value of ${key}`, {
  name: "lookup",
  description: "Looks up.",
  schema: z.object({ key: z.string() }),
});

/** A createAgent agent of five supersteps: model, two searches, model, lookup, model. */
export function searchingAgent() {
  return createAgent({ model: searchingModel(), tools: [search, lookup], systemPrompt: "Answer briefly." });
}

export const asked = { messages: [{ role: "user", content: "What colour is the lamp?" }] };

/** A captured step without what differs from run to run. */
export interface SeenStep {
  readonly index: unknown;
  readonly type: unknown;
  readonly action: JsonObject;
  readonly kind: unknown;
  readonly status: unknown;
  readonly fidelity: unknown;
  readonly attempts: unknown;
  readonly before: unknown;
  readonly after: unknown;
  readonly cost: JsonObject;
  readonly error: unknown;
  readonly discontinuity: unknown;
}

export interface SeenTrajectory {
  readonly id: string;
  readonly open: JsonObject | undefined;
  readonly steps: SeenStep[];
  readonly closed: unknown;
  readonly parent: unknown;
}

function seenStep(record: JsonObject): SeenStep {
  const { latency_ms: _, ...cost } = record["cost"] as JsonObject;
  const action = record["action"] as JsonObject;
  return {
    index: record["index"],
    type: action["type"],
    action,
    kind: record["kind"],
    status: record["status"],
    fidelity: record["fidelity"],
    attempts: record["attempts"],
    before: record["before_sha256"],
    after: record["after_sha256"],
    cost,
    error: record["error"],
    discontinuity: record["discontinuity"],
  };
}

/** The trajectories in a list of live records, in the order in which they opened. */
export function trajectoriesOf(records: readonly JsonObject[]): SeenTrajectory[] {
  const byId = new Map<string, JsonObject[]>();
  for (const record of records) {
    const id = record["trajectory_id"] as string;
    byId.set(id, [...(byId.get(id) ?? []), record]);
  }
  return [...byId].map(([id, own]) => {
    const open = own.find((record) => record["record"] === "open");
    return {
      id,
      open,
      steps: own.filter((record) => record["record"] === "step").map(seenStep),
      closed: own.find((record) => record["record"] === "close")?.["status"],
      parent: open?.["parent_trajectory_id"],
    };
  });
}

/** The steps alone, so that two runs of one script compare equal. */
export function normalised(records: readonly JsonObject[]): unknown[] {
  return trajectoriesOf(records).map(({ steps, closed }) => ({ steps, closed }));
}

/** Texts of the blocks of a step's after-state. */
export function afterTexts(records: readonly JsonObject[], index: number): string[] {
  const step = records.find((record) => record["record"] === "step" && record["index"] === index);
  const state = step?.["state_after"] as { blocks: { text: string }[] } | undefined;
  return state?.blocks.map((block) => block.text) ?? [];
}

/** True when every after-state is the before-state of the step that follows. */
export function chains(trajectory: SeenTrajectory): boolean {
  return trajectory.steps.every((step, i) => i === 0 || step.before === trajectory.steps[i - 1]?.after);
}

export { memorySink, type MemorySink };

/** Model and tools of {@link searchingAgent} of which the second model call kills the process. */
export function killedInSecondModelCall() {
  let calls = 0;
  const script = searchingModel();
  const model = new ScriptedModel(async (messages) => {
    calls += 1;
    if (calls === 2) process.kill(process.pid, "SIGKILL");
    const { generations } = await script._generate(messages);
    return generations[0]!.message;
  });
  return { model, tools: [search, lookup] };
}
