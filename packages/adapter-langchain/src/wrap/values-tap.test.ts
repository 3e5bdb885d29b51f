import { Annotation, Command, CompiledStateGraph, Send, START, StateGraph } from "@langchain/langgraph";
import { expect, it } from "vitest";
import { withASVCapture } from "../index.ts";
import {
  afterTexts,
  asked,
  chains,
  memorySink,
  normalised,
  searchingAgent,
  trajectoriesOf,
} from "../scripted.test-support.ts";

let reduced = 0;
const State = Annotation.Root({
  plan: Annotation<string>(),
  evidence: Annotation<string[]>({
    reducer: (a, b) => {
      reduced += 1;
      return [...b, ...a];
    },
    default: () => [],
  }),
});

/** Nodes that no callback shows the state of: a Command that sends, and a reducer that puts new things first. */
const sending = () =>
  new StateGraph(State)
    .addNode(
      "planner",
      async () =>
        new Command({
          update: { plan: "sent", evidence: ["first"] },
          goto: [new Send("worker", { n: 1 }), new Send("worker", { n: 2 })],
        }),
      { ends: ["worker"] },
    )
    .addNode("worker", async (state) => ({ evidence: [`did ${(state as unknown as { n: number }).n}`] }))
    .addEdge(START, "planner")
    .compile();

const input = { plan: "", evidence: ["given"] };

async function drain(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const chunks: unknown[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

it("gives the exact joint state where callbacks can only estimate it", async () => {
  const [estimated, exact] = [memorySink(), memorySink()];
  await withASVCapture(sending(), { sinks: [estimated] }).invoke(input);
  await withASVCapture(sending(), { sinks: [exact], stateSource: "values-tap" }).invoke(input);
  const fidelities = (sink: typeof exact) =>
    trajectoriesOf(sink.records)[0]?.steps.map((step) => step.fidelity);
  expect(fidelities(estimated)).toEqual(["update-only", "run-output"]);
  expect(fidelities(exact)).toEqual(["values-tap", "values-tap"]);
  // The estimate does not know the graph's reducer.
  expect(afterTexts(estimated.records, 0)).toEqual(["sent", "given", "first"]);
  expect(afterTexts(exact.records, 0)).toEqual(["sent", "first", "given"]);
  expect(chains(trajectoriesOf(exact.records)[0]!)).toBe(true);
});

it("changes nothing a user sees: result, chunks, reducer calls, class", async () => {
  const tapped = withASVCapture(sending(), { sinks: [memorySink()], stateSource: "values-tap" });
  expect(tapped).toBeInstanceOf(CompiledStateGraph);
  for (const options of [
    {},
    { streamMode: "values" },
    { streamMode: "updates" },
    { streamMode: ["values", "updates"], subgraphs: true },
  ] as const) {
    reduced = 0;
    const bare = await drain(await sending().stream(input, options as never));
    const bareReduced = reduced;
    reduced = 0;
    const chunks = await drain(await tapped.stream(input, options as never));
    expect(chunks).toEqual(bare);
    expect(reduced).toBe(bareReduced);
  }
  const events = async (graph: ReturnType<typeof sending>) =>
    ((await drain(graph.streamEvents(input, { version: "v2" }))) as { event: string; name: string }[]).map(
      ({ event, name }) => [event, name],
    );
  expect(await events(tapped)).toEqual(await events(sending()));
});

it("survives withConfig, batch, concurrent runs, and a stream that is left", async () => {
  const sink = memorySink();
  const graph = withASVCapture(sending(), { sinks: [sink], stateSource: "values-tap" }).withConfig({
    tags: ["mine"],
  });
  await Promise.all([
    graph.batch([input, input]),
    graph.invoke(input),
    graph.invoke(input, { runId: "0190d8e0-0000-7000-8000-000000000000" }),
  ]);
  const trajectories = trajectoriesOf(sink.records);
  expect(trajectories.length).toBe(4);
  const steps = normalised(sink.records);
  for (const one of steps) expect(one).toEqual(steps[0]);
  for await (const _ of await graph.stream(input)) break;
  expect(trajectoriesOf(sink.records).at(-1)?.closed).toBe("aborted");
});

it("leaves an agent of createAgent to its callbacks", async () => {
  const sink = memorySink();
  await withASVCapture(searchingAgent(), { sinks: [sink], stateSource: "values-tap" }).invoke(asked);
  expect(trajectoriesOf(sink.records)[0]?.steps[0]?.fidelity).toBe("next-input");
});
