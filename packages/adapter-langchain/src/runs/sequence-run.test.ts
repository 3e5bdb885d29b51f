import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import {
  RunnableLambda,
  RunnablePassthrough,
  RunnableSequence,
  type Runnable,
} from "@langchain/core/runnables";
import { AIMessage, createAgent } from "langchain";
import { expect, it } from "vitest";
import { withASVCapture } from "../index.ts";
import {
  afterTexts,
  asked,
  chains,
  memorySink,
  normalised,
  ScriptedModel,
  trajectoriesOf,
} from "../scripted.test-support.ts";

const chain = () =>
  ChatPromptTemplate.fromMessages([
    ["system", "Answer in one word."],
    ["human", "{question}"],
  ])
    .pipe(new ScriptedModel(() => new AIMessage("green")))
    .pipe(new StringOutputParser());

async function invoked<In, Out>(runnable: Runnable<In, Out>, input: In) {
  const sink = memorySink();
  const result = await withASVCapture(runnable, { sinks: [sink] }).invoke(input);
  return { sink, result, trajectory: trajectoriesOf(sink.records)[0]! };
}

it("makes a step of each member of a sequence", async () => {
  const { sink, result, trajectory } = await invoked(chain(), { question: "Which colour?" });
  expect(result).toBe("green");
  expect(trajectory.steps.map((step) => [step.type, step.kind])).toEqual([
    ["ChatPromptTemplate", "other"],
    ["model", "llm"],
    ["StrOutputParser", "other"],
  ]);
  expect(chains(trajectory)).toBe(true);
  expect(afterTexts(sink.records, 0)).toEqual(["Answer in one word.", "Which colour?"]);
  expect(afterTexts(sink.records, 1)).toEqual(["green"]);
  expect(trajectory.open?.["task"]).toMatchObject({ question: "Which colour?" });
});

it("gives the same steps from stream, batch and streamEvents", async () => {
  const { trajectory } = await invoked(chain(), { question: "Which colour?" });
  const expected = [{ steps: trajectory.steps, closed: "complete" }];
  const runs: ((runnable: ReturnType<typeof chain>) => Promise<unknown>)[] = [
    async (runnable) => {
      for await (const _ of await runnable.stream({ question: "Which colour?" }));
    },
    (runnable) => runnable.batch([{ question: "Which colour?" }]),
    async (runnable) => {
      for await (const _ of runnable.streamEvents({ question: "Which colour?" }, { version: "v2" }));
    },
  ];
  for (const run of runs) {
    const sink = memorySink();
    await run(withASVCapture(chain(), { sinks: [sink] }));
    expect(normalised(sink.records)).toEqual(expected);
  }
});

it("makes one step of a Runnable that is no sequence", async () => {
  const { sink, trajectory } = await invoked(
    RunnableLambda.from((n: number) => n + 1),
    41,
  );
  expect(trajectory.steps.map((step) => step.type)).toEqual(["RunnableLambda"]);
  expect(afterTexts(sink.records, 0)).toEqual(["42"]);
});

it("makes one step of a model", async () => {
  const { trajectory } = await invoked(new ScriptedModel(() => new AIMessage("hello")) as never, "hi");
  expect(trajectory.steps.map((step) => [step.type, step.kind])).toEqual([["model", "llm"]]);
});

it("records the member that fails", async () => {
  const sink = memorySink();
  const failing = RunnableSequence.from([
    RunnableLambda.from((n: number) => n + 1),
    RunnableLambda.from((): number => {
      throw new Error("no");
    }),
  ]);
  await expect(withASVCapture(failing, { sinks: [sink] }).invoke(1)).rejects.toThrow("no");
  const [trajectory] = trajectoriesOf(sink.records);
  expect(trajectory?.closed).toBe("error");
  expect(trajectory?.steps.map((step) => [step.status, step.fidelity])).toEqual([
    ["ok", "run-output"],
    ["error", "aborted"],
  ]);
});

it("keeps the branches of a map inside its step", async () => {
  const { trajectory } = await invoked(
    RunnableSequence.from([
      RunnableLambda.from((n: number) => ({ n })),
      RunnablePassthrough.assign({ next: (value: { n: number }) => value.n + 1 }),
    ]),
    1,
  );
  expect(trajectory.steps.length).toBe(2);
});

it("captures an agent inside a sequence as a trajectory of its own", async () => {
  const agent = createAgent({ model: new ScriptedModel(() => new AIMessage("yes")), tools: [] });
  const sink = memorySink();
  const piped = RunnableLambda.from(() => asked).pipe(agent.graph as never);
  await withASVCapture(piped, { sinks: [sink] }).invoke({});
  const [outer, inner] = trajectoriesOf(sink.records);
  expect(outer?.steps.length).toBe(2);
  expect(inner?.parent).toBe(outer?.id);
});
