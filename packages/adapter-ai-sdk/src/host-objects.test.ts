import { afterAll, describe, expect, it } from "vitest";
import { memorySink } from "@agent-step-value/sdk/capture";
import { z } from "zod";
import { captured, chains, trajectoriesOf, useContextManager } from "./captured.test-support.ts";
import { withASVCapture } from "./index.ts";
import { majors, stopAfter, type AI, type Turn } from "./majors.test-support.ts";
import { agentClass, drain, hostOf, outcomeOf, question, searchCall } from "./scenarios.test-support.ts";

const stop = useContextManager();
afterAll(stop);

const turns: readonly Turn[] = [
  { calls: [{ id: "1", tool: "search", input: { query: "lamp" } }] },
  { text: "Green." },
];

/** A tool as a class of a host, of which no copy works: its members need its private ones. */
class Search {
  #found = "found";
  get description() {
    return `Searches what is ${this.#found}.`;
  }
  get inputSchema() {
    return z.object({ query: z.string() });
  }
  async execute({ query }: { query: string }) {
    return `${this.#found} ${query}`;
  }
  toModelOutput(given: any) {
    return { type: "text", value: `${this.#found}: ${given?.output ?? given}` };
  }
}

describe.each(majors)("ai $major: objects of the host that no copy can replace", (major) => {
  const call = (ai: AI, more: Record<string, unknown> = {}) => ({
    model: hostOf(major, ai).model(turns),
    tools: { search: new Search() },
    stopWhen: stopAfter(major, 3),
    prompt: question,
    ...more,
  });

  it("a tool that is an instance of a class with private members", async () => {
    const { ai, sink } = captured(major);
    for (const freeze of [false, true]) {
      const tools = { search: freeze ? Object.freeze(new Search()) : new Search() };
      const expected = await major.ai["generateText"](call(major.ai, { tools }));
      const result = await ai["generateText"](call(ai, { tools }));
      expect(result.steps[0].content).toEqual(expected.steps[0].content);
      expect(result.steps[0].response.messages[1]).toEqual(expected.steps[0].response.messages[1]);
    }
    for (const run of trajectoriesOf(sink)) {
      expect(run.steps[0]!.blocks!.at(-1)).toBe("evidence search: found: found lamp");
      expect(chains(run)).toBe(true);
    }
  });

  it("a tool whose code is given by a getter, and tools whose class has a setter", async () => {
    const set: unknown[] = [];
    class Getting {
      inputSchema = z.object({ query: z.string() });
      get execute() {
        return async ({ query }: { query: string }) => `got ${query}`;
      }
    }
    class Box {
      get search(): unknown {
        return undefined;
      }
      set search(value: unknown) {
        set.push(value);
      }
    }
    const { ai, sink } = captured(major);
    const box = () => Object.defineProperty(new Box(), "search", { value: new Getting(), enumerable: true });
    const expected = await major.ai["generateText"](call(major.ai, { tools: box() }));
    const result = await ai["generateText"](call(ai, { tools: box() }));
    expect(result.steps[0].content).toEqual(expected.steps[0].content);
    expect(set).toEqual([]);
    expect(trajectoriesOf(sink)[0]!.steps[0]!.blocks!.at(-1)).toBe("evidence search: got lamp");
  });

  it("frozen tools whose code is their own", async () => {
    class Frozen {
      inputSchema = z.object({ query: z.string() });
      execute = async ({ query }: { query: string }) => `got ${query}`;
    }
    const { ai, sink } = captured(major);
    const tools = Object.freeze({ search: Object.freeze(new Frozen()) });
    await ai["generateText"](Object.freeze(call(ai, { tools })));
    expect(trajectoriesOf(sink)[0]!.steps[0]!.blocks!.at(-1)).toBe("evidence search: got lamp");
  });

  it("settings that inherit what they do not say", async () => {
    const { ai, sink } = captured(major);
    const inheriting = () => {
      const { prompt, ...defaults } = call(ai);
      return Object.assign(Object.create(defaults) as object, { prompt });
    };
    expect((await ai["generateText"](inheriting())).text).toBe("Green.");
    const streamed = ai["streamText"](inheriting());
    expect((await drain(streamed.textStream)).join("")).toBe("Green.");
    const [generated, read] = trajectoriesOf(sink);
    expect(generated!.steps.map(({ type }) => type)).toEqual(["tool:search", "model"]);
    expect(read!.steps).toEqual(generated!.steps);
  });

  it("settings of an object call that inherit", async () => {
    const { ai, sink } = captured(major);
    for (const name of ["generateObject", "streamObject"]) {
      const defaults = {
        model: hostOf(major, ai).model([{ text: '{"a":1}' }]),
        schema: z.object({ a: z.number() }),
      };
      const result = await ai[name](Object.assign(Object.create(defaults) as object, { prompt: question }));
      if (name === "streamObject") await drain(result.partialObjectStream);
      expect(await result.object).toEqual({ a: 1 });
    }
    expect(trajectoriesOf(sink).map(({ steps, closed }) => [steps.length, closed])).toEqual([
      [1, "complete"],
      [1, "complete"],
    ]);
  });

  it("settings that are an instance of a class with private members", async () => {
    class Settings {
      #asked = 0;
      prompt = question;
      tools = { search: new Search() };
      stopWhen = stopAfter(major, 3);
      get model() {
        this.#asked += 1;
        return hostOf(major, major.ai).model(turns);
      }
      onStepFinish = () => void (this.#asked += 1);
    }
    const { ai, sink } = captured(major);
    expect((await ai["generateText"](new Settings())).text).toBe("Green.");
    expect(trajectoriesOf(sink)[0]!.steps.length).toBe(2);
  });

  it("an agent whose class has private members works as it is, and that it is not captured is told", async () => {
    class Counting extends agentClass(hostOf(major, major.ai)) {
      #calls = 0;
      get calls(): number {
        return this.#calls;
      }
      async generate(options: unknown): Promise<any> {
        this.#calls += 1;
        return (await super.generate(options)) as unknown;
      }
      async ask(prompt: string): Promise<string> {
        return (await this.generate({ prompt })).text as string;
      }
    }
    const sink = memorySink();
    const told: string[] = [];
    const { prompt: _, ...settings } = call(major.ai);
    const agent = withASVCapture(new Counting(settings) as any, {
      sinks: [sink],
      onError: (error) => told.push(error.message),
    });
    expect(await outcomeOf(() => agent.ask(question))).toEqual({ result: "Green." });
    expect(agent.calls).toBe(1);
    expect(sink.records).toEqual([]);
    expect(told).toEqual([
      "asv capture: an agent cannot be captured: its class has private members; derive the class from a captured one.",
    ]);
  });

  it("such a class derived from a captured one is captured", async () => {
    const { ai, sink } = captured(major);
    class Counting extends agentClass(hostOf(major, ai)) {
      #calls = 0;
      async generate(options: unknown): Promise<any> {
        this.#calls += 1;
        return [this.#calls, ((await super.generate(options)) as any).text];
      }
    }
    const { prompt: _, ...settings } = call(ai);
    expect(await new Counting(settings).generate({ prompt: question })).toEqual([1, "Green."]);
    expect(trajectoriesOf(sink)[0]!.steps.length).toBe(2);
  });
});

/** Hears what an integration of another maker is told. */
function integration(name: string, heard: string[]): Record<string, () => void> {
  return Object.fromEntries(
    ["onStart", "onStepStart", "onStepFinish", "onFinish", "onEnd"].map((event) => [
      event,
      () => void heard.push(`${name} ${event}`),
    ]),
  );
}

describe.each(majors)("ai $major: where the major cannot be told", (major) => {
  const scope = globalThis as { AI_SDK_TELEMETRY_INTEGRATIONS?: unknown };
  const named = major.ai["ToolLoopAgent"] === undefined ? "Experimental_Agent" : "ToolLoopAgent";
  const ways: [string, (ai: AI, options: object) => (settings: any) => any][] = [
    [
      "generateText alone",
      (ai, options) => (settings) =>
        (withASVCapture({ generateText: ai["generateText"] } as never, options) as AI)["generateText"](
          settings,
        ),
    ],
    [
      "the class of agents alone",
      (ai, options) =>
        ({ prompt, ...settings }) => {
          const Agent = (withASVCapture({ [named]: ai[named] } as never, options) as AI)[named];
          return new Agent(settings).generate({ prompt });
        },
    ],
    [
      "one agent",
      (ai, options) =>
        ({ prompt, ...settings }) =>
          withASVCapture(new ai[named](settings), options).generate({ prompt }),
    ],
  ];

  it.each(ways)(
    "%s: callbacks and other telemetry hear what they hear without capture",
    async (name, way) => {
      for (const telemetry of ["registered", "telemetry", "experimental_telemetry"]) {
        const hear = async (call: (settings: any) => any) => {
          const heard: string[] = [];
          const callback = (event: string) => () => void heard.push(event);
          scope.AI_SDK_TELEMETRY_INTEGRATIONS = telemetry === "registered" ? [integration("all", heard)] : [];
          await call({
            ...searchCall(hostOf(major, major.ai)),
            ...(telemetry !== "registered" && { [telemetry]: { integrations: [integration("own", heard)] } }),
            onStepStart: callback("onStepStart"),
            onStepFinish: callback("onStepFinish"),
            onFinish: callback("onFinish"),
          });
          scope.AI_SDK_TELEMETRY_INTEGRATIONS = undefined;
          return heard;
        };
        const sink = memorySink();
        const bare = name.startsWith("generateText")
          ? (settings: any) => major.ai["generateText"](settings)
          : ({ prompt, ...settings }: any) => new major.ai[named](settings).generate({ prompt });
        const expected = await hear(bare);
        expect(await hear(way(major.ai, { sinks: [sink] }))).toEqual(expected);
        expect(expected).toContain("onStepFinish");
        const [run, ...more] = trajectoriesOf(sink);
        expect(more).toEqual([]);
        expect(run!.steps.map(({ fidelity }) => fidelity)).toEqual(Array(3).fill("step-result"));
      }
    },
  );
});
