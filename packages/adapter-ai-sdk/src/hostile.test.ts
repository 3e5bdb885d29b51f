import { createHash } from "node:crypto";
import { memorySink } from "@agent-step-value/sdk/capture";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  captured,
  chains,
  normalised,
  trajectoriesOf,
  useContextManager,
  visible,
  type Captured,
  type SeenStep,
} from "./captured.test-support.ts";
import { withASVCapture } from "./index.ts";
import { majors, stopAfter, type Major, type Turn } from "./majors.test-support.ts";
import {
  chunksOf,
  drain,
  hostOf,
  outcomeOf,
  question,
  resultOf,
  searchCall,
} from "./scenarios.test-support.ts";
import { pathsOf, tamperedMajor, without, type Tamper } from "./tampered.test-support.ts";

afterAll(useContextManager());

const rejections: unknown[] = [];
const note = (error: unknown) => void rejections.push(error);
beforeEach(() => {
  rejections.length = 0;
  process.on("unhandledRejection", note);
});
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 0));
  process.off("unhandledRejection", note);
  expect(rejections).toEqual([]);
});

const asIs: Tamper = (hook, event) => [[hook, event]];

/** Runs the search loop; gives what its caller sees and what was captured. */
async function play(major: Major, tampered: Pick<Major, "ai">, streams: boolean, problems: string[] = []) {
  const capture = captured(tampered, { onError: (error) => void problems.push(error.message) });
  const host = hostOf(major, capture.ai);
  const call = searchCall(host);
  const seen = streams
    ? await drain(capture.ai["streamText"](call).fullStream)
    : await resultOf(await capture.ai["generateText"](call));
  return { seen: visible(seen), ...capture };
}

/** States of a step, before and after. */
type Pair = Pick<SeenStep, "before" | "after">;

/** Whatever was heard: the run is closed once, nothing is left open, and every state that is there is that of its step. */
function expectSound({ sink, spans }: Captured, pairs: readonly Pair[]): void {
  const [run, ...more] = trajectoriesOf(sink);
  expect(more).toEqual([]);
  expect(["complete", "error", "aborted", "abandoned"]).toContain(run!.closed);
  expect(spans.open.size).toBe(0);
  for (const { before, after, fidelity } of run!.steps) {
    if (fidelity === "aborted" || fidelity === "abandoned") expect(after).toBe(before);
    else if (after !== undefined && before !== undefined) expect(pairs).toContainEqual({ before, after });
    else if (after !== undefined) expect(pairs.map((pair) => pair.after)).toContain(after);
  }
}

describe.each(majors)("ai $major", (major) => {
  describe.each([false, true])("streamed: %s", (streams) => {
    async function reference() {
      const events: [string, unknown][] = [];
      const spy: Tamper = (hook, event) => {
        events.push([hook, event]);
        return [[hook, event]];
      };
      const played = await play(major, tamperedMajor(major, spy), streams);
      const [run] = trajectoriesOf(played.sink);
      const pairs = run!.steps.map(({ before, after }) => ({ before, after }));
      return { ...played, events, run: run!, pairs };
    }

    it("every field of every event left out in turn: the host sees no difference, the run is closed, states are right or absent", async () => {
      const { seen, events, pairs } = await reference();
      const fields = new Map<string, readonly [string, string[]]>();
      for (const [hook, event] of events) {
        for (const path of pathsOf(event, 2)) fields.set(JSON.stringify([hook, path]), [hook, path]);
      }
      // Deeper only where capture reads deeper.
      for (const [hook, event] of events) {
        const { messages, response } = event as { messages?: unknown; response?: unknown };
        if (messages !== undefined) fields.set(`${hook} role`, [hook, ["messages", "0", "role"]]);
        for (const path of pathsOf(response, 5)) {
          if (path[0] === "messages")
            fields.set(JSON.stringify([hook, "response", path]), [hook, ["response", ...path]]);
        }
      }
      expect(fields.size).toBeGreaterThan(30);
      for (const [hook, path] of fields.values()) {
        const tamper: Tamper = (name, event) => {
          try {
            return [[name, name === hook ? without(event, path) : event]];
          } catch {
            // This event has no such field.
            return [[name, event]];
          }
        };
        const played = await play(major, tamperedMajor(major, tamper), streams);
        expect(played.seen).toBe(seen);
        // Another message, or another list of them, is another state, and must be.
        const inside = path.includes("messages") && path.at(-1) !== "messages";
        if (inside) expect(played.spans.open.size).toBe(0);
        else expectSound(played, pairs);
      }
    });

    it("a state that cannot be known is absent, and the loss is told", async () => {
      const problems: string[] = [];
      const tamper: Tamper = (hook, event) =>
        event?.response === undefined ? [[hook, event]] : [[hook, without(event, ["response", "messages"])]];
      const { sink } = await play(major, tamperedMajor(major, tamper), streams, problems);
      const [run] = trajectoriesOf(sink);
      expect(run!.steps.map(({ after, fidelity }) => [after, fidelity])).toEqual(
        Array(3).fill([undefined, "unknown"]),
      );
      expect(problems.filter((problem) => problem.includes("ended without its messages")).length).toBe(3);
    });

    it("a step whose end is not heard has no after-state, and the others have theirs", async () => {
      const { seen, run } = await reference();
      for (const lost of [0, 1, 2]) {
        let ended = 0;
        const tamper: Tamper = (hook, event) =>
          event?.finishReason !== undefined &&
          event?.response !== undefined &&
          hook.startsWith("onStep") &&
          ended++ === lost
            ? []
            : [[hook, event]];
        const played = await play(major, tamperedMajor(major, tamper), streams);
        expect(played.seen).toBe(seen);
        const [again] = trajectoriesOf(played.sink);
        // A stream that ends in a step has broken off, as far as anyone can tell.
        const breaks = streams && lost === 2;
        expect(again!.closed).toBe(breaks ? "error" : "complete");
        const told = again!.steps.map(({ after, fidelity, status }) => [after, fidelity, status]);
        const whole = run.steps.map(({ after, fidelity, status }) => [after, fidelity, status]);
        const part = breaks ? [run.steps[2]!.before, "aborted", "error"] : [undefined, "unknown", "ok"];
        // AI SDK 5 and 6 list all messages so far: which of them the step behind the lost one added is not known either.
        const isUnknown = (i: number) => i === lost || (major.major < 7 && i === lost + 1);
        expect(told).toEqual(whole.map((one, i) => (isUnknown(i) ? part : one)));
      }
    });

    it("a step whose messages are not told, and the one behind it", async () => {
      const { run } = await reference();
      let ended = 0;
      const tamper: Tamper = (hook, event) =>
        event?.response !== undefined && hook.startsWith("onStep") && ended++ === 0
          ? [[hook, without(event, ["response", "messages"])]]
          : [[hook, event]];
      const { sink } = await play(major, tamperedMajor(major, tamper), streams);
      const [first, second, third] = trajectoriesOf(sink)[0]!.steps.map(({ after }) => after);
      const whole = run.steps.map(({ after }) => after);
      expect([first, second, third]).toEqual([undefined, major.major < 7 ? undefined : whole[1], whole[2]]);
    });

    it("no event at all: one warning, nothing invented", async () => {
      const { seen } = await reference();
      const problems: string[] = [];
      const played = await play(
        major,
        tamperedMajor(major, () => []),
        streams,
        problems,
      );
      expect(played.seen).toBe(seen);
      const [run] = trajectoriesOf(played.sink);
      expect([run!.steps, run!.closed]).toEqual([[], "complete"]);
      expect(problems.filter((problem) => problem.includes("without a step")).length).toBe(1);
    });

    it("every event twice is every event once", async () => {
      const { seen, run } = await reference();
      const twice: Tamper = (hook, event) => [
        [hook, event],
        [hook, event],
      ];
      const played = await play(major, tamperedMajor(major, twice), streams);
      expect(played.seen).toBe(seen);
      const [again] = trajectoriesOf(played.sink);
      // prepareStep of AI SDK 5 carries no number: there the second start is a step without a result.
      if (major.major > 5) expect(normalised(again!)).toEqual(normalised(run));
      expect(again!.closed).toBe("complete");
      expect(played.spans.open.size).toBe(0);
    });

    it.skipIf(major.major === 5)("the end of a step that is told again in the next one", async () => {
      const { seen, run } = await reference();
      let newest: readonly [string, unknown] | undefined;
      const again: Tamper = (hook, event) => {
        const told: readonly [string, unknown] = [hook, event];
        if (hook === "onStepStart" && newest !== undefined) return [told, newest];
        if (hook.startsWith("onStep")) newest = told;
        return [told];
      };
      const played = await play(major, tamperedMajor(major, again), streams);
      expect(played.seen).toBe(seen);
      expect(normalised(trajectoriesOf(played.sink)[0]!)).toEqual(normalised(run));
    });

    it("starts and ends in the wrong order", async () => {
      const { seen, pairs } = await reference();
      const held: [string, unknown][] = [];
      const swapped: Tamper = (hook, event) => {
        if (hook.endsWith("Start")) {
          held.push([hook, event]);
          return [];
        }
        return [[hook, event], ...held.splice(0)];
      };
      const played = await play(major, tamperedMajor(major, swapped), streams);
      expect(played.seen).toBe(seen);
      expectSound(played, pairs);
    });

    it("events after the end change nothing", async () => {
      const { events, run } = await reference();
      const sends: ((hook: string, event: unknown) => void)[] = [];
      const played = await play(
        major,
        tamperedMajor(major, asIs, (send) => sends.push(send)),
        streams,
      );
      for (const send of sends) {
        for (const [hook, event] of events) if (hook !== "prepareStep") send(hook, event);
        send("onAbort", {});
        send("onError", { error: new Error("late") });
      }
      const [again, ...more] = trajectoriesOf(played.sink);
      expect(more).toEqual([]);
      expect(normalised(again!)).toEqual(normalised(run));
      expect(played.spans.open.size).toBe(0);
    });
  });

  it("callbacks of the host that throw do what they do without capture", async () => {
    const boom = () => {
      throw new Error("mine");
    };
    const names = [
      "onStart",
      "onStepStart",
      "experimental_onStepStart",
      "onStepEnd",
      "onStepFinish",
      "onEnd",
      "onFinish",
      "onChunk",
      "onAbort",
      "prepareStep",
    ];
    for (const name of names) {
      for (const streams of [false, true]) {
        const run = async (ai: Record<string, any>) => {
          const call = { ...searchCall(hostOf(major, ai)), [name]: boom };
          return streams
            ? chunksOf(ai["streamText"]({ ...call, onError: () => undefined }).fullStream)
            : outcomeOf(() => ai["generateText"](call));
        };
        const expected = visible(await run(major.ai));
        const capture = captured(major);
        expect([name, streams, visible(await run(capture.ai))]).toEqual([name, streams, expected]);
        const [one] = trajectoriesOf(capture.sink);
        expect(one!.closed).not.toBeUndefined();
        expect(capture.spans.open.size).toBe(0);
      }
    }
  });

  it("callbacks of the host are called as without capture", async () => {
    const names = [
      "onStart",
      "onStepStart",
      "experimental_onStepStart",
      "onStepEnd",
      "onStepFinish",
      "onEnd",
      "onFinish",
      "onChunk",
      "onError",
      "onAbort",
      "prepareStep",
      "experimental_prepareStep",
    ];
    const run = async (ai: Record<string, any>, streams: boolean, given: readonly string[]) => {
      const heard: string[] = [];
      const callbacks = Object.fromEntries(
        given.map((name) => [
          name,
          (event: any) => void heard.push(`${name} ${Object.keys(event).sort().join()}`),
        ]),
      );
      const call = { ...searchCall(hostOf(major, ai)), ...callbacks };
      if (streams) await drain(ai["streamText"](call).fullStream);
      else await ai["generateText"](call);
      return heard;
    };
    for (const streams of [false, true]) {
      // All at once, and each alone: some stand in for others.
      for (const given of [names, ...names.map((name) => [name])]) {
        expect(await run(captured(major).ai, streams, given)).toEqual(await run(major.ai, streams, given));
      }
    }
  });

  it("the error of a stream whose host does not listen is printed as often as without capture", async () => {
    const run = async (ai: Record<string, any>, more: Record<string, unknown>) => {
      const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
      const turns: Turn[] = [{ text: "The lamp ", tells: new Error("socket closed"), finish: "error" }];
      const model = hostOf(major, ai).model(turns);
      await chunksOf(ai["streamText"]({ model, prompt: question, ...more }).fullStream);
      const printed = print.mock.calls.map(([error]) => String(error));
      print.mockRestore();
      return printed;
    };
    const output = { output: major.ai["Output"].object({ schema: z.object({ colour: z.string() }) }) };
    for (const more of [{}, { onError: () => undefined }, output, { streamRetries: 0 }]) {
      expect(await run(captured(major).ai, more)).toEqual(await run(major.ai, more));
    }
    expect(await run(major.ai, {})).toEqual(["Error: socket closed"]);
  });

  it.runIf(major.major === 7)(
    "a stream reads its output no more often, and gives the calls of tools as early",
    async () => {
      const run = async (ai: Record<string, any>) => {
        const host = hostOf(major, ai);
        const whole = ai["Output"].object({ schema: z.object({ colour: z.string() }) });
        let reads = 0;
        const output = {
          ...whole,
          parseCompleteOutput: (...args: unknown[]) => {
            reads += 1;
            return whole.parseCompleteOutput(...args) as unknown;
          },
        };
        const model = host.model([{ text: '{"colour":"green"}' }]);
        await drain(ai["streamText"]({ model, prompt: question, output }).fullStream);

        // The stream hangs behind the call of the tool.
        const stop = new AbortController();
        const late = setTimeout(() => stop.abort(), 2000);
        const search = ai["tool"]({
          description: "Searches.",
          inputSchema: z.object({}),
          execute: async () => "x",
        });
        const call = { type: "tool-call", toolCallId: "1", toolName: "search", input: "{}" };
        const acting = host.model([{ parts: [call], hangs: true }]);
        const settings = { model: acting, prompt: question, tools: { search }, abortSignal: stop.signal };
        const types: string[] = [];
        for await (const { type } of ai["streamText"]({ ...settings, streamRetries: 0 }).fullStream) {
          types.push(type);
          if (type === "tool-call") stop.abort();
        }
        clearTimeout(late);
        return { reads, types };
      };
      const bare = await run(major.ai);
      expect(bare.types).toContain("tool-call");
      expect(await run(captured(major).ai)).toEqual(bare);
    },
  );

  it("a message that the host changes between two steps: each state is what it was at its time", async () => {
    const { ai, sink } = captured(major);
    const host = hostOf(major, ai);
    const content = [{ type: "text", text: "What colour is the lamp?" }];
    await ai["generateText"]({
      ...searchCall(host),
      prompt: undefined,
      messages: [{ role: "user", content }],
      prepareStep: ({ stepNumber }: { stepNumber: number }) => {
        if (stepNumber === 1) content[0]!.text = "Changed.";
      },
    });
    const [run] = trajectoriesOf(sink);
    expect(run!.steps[0]!.blocksBefore![0]).toBe("task user: What colour is the lamp?");
    expect(run!.steps[0]!.blocks![0]).toBe("task user: What colour is the lamp?");
    expect(run!.steps[1]!.discontinuity).toBe(true);
    expect(run!.steps[1]!.blocksBefore![0]).toBe("task user: Changed.");
    expect(run!.steps[2]!.discontinuity).toBeUndefined();
  });

  it("a picture that the host's tool paints over: each state has the one of its time", async () => {
    const { ai, sink } = captured(major);
    const host = hostOf(major, ai);
    const image = new Uint8Array(3000).fill(1);
    const mark = () => `[BYTES:image/png:3000:${createHash("sha256").update(image).digest("hex")}]`;
    const marks = [mark()];
    const paint = ai["tool"]({
      description: "Paints.",
      inputSchema: z.object({}),
      execute: async () => {
        image[1500] = 2;
        marks.push(mark());
        return "painted";
      },
    });
    await ai["generateText"]({
      model: host.model([{ calls: [{ id: "1", tool: "paint", input: {} }] }, { text: "Done." }]),
      tools: { paint },
      messages: [{ role: "user", content: [{ type: "file", data: image, mediaType: "image/png" }] }],
      stopWhen: stopAfter(major, 3),
    });
    const [run] = trajectoriesOf(sink);
    expect(run!.steps[0]!.blocksBefore![0]).toBe(`task user: ${marks[0]}`);
    expect(run!.steps[0]!.blocks![0]).toBe(`task user: ${marks[1]}`);
    expect(chains(run!)).toBe(true);
  });

  it("a result that the host's tool goes on changing", async () => {
    const cart: { items: string[] } = { items: [] };
    const { ai, sink } = captured(major);
    const host = hostOf(major, ai);
    const tools = {
      put: ai["tool"]({
        description: "Puts.",
        inputSchema: z.object({ item: z.string() }),
        execute: async ({ item }: { item: string }) => {
          cart.items.push(item);
          return cart;
        },
      }),
    };
    const turns: Turn[] = [
      { calls: [{ id: "1", tool: "put", input: { item: "lamp" } }] },
      { calls: [{ id: "2", tool: "put", input: { item: "oil" } }] },
      { text: "Done." },
    ];
    await ai["generateText"]({
      model: host.model(turns),
      tools,
      prompt: question,
      stopWhen: stopAfter(major, 5),
    });
    const [run] = trajectoriesOf(sink);
    expect(run!.steps[0]!.blocks!.at(-1)).toBe('evidence put: {"items":["lamp"]}');
    expect(run!.steps[1]!.blocks!.at(-1)).toBe('evidence put: {"items":["lamp","oil"]}');
    expect(run!.closed).toBe("complete");
  });

  it.each<[string, () => unknown]>([
    ["a bigint", () => 12n],
    [
      "a cycle",
      () => {
        const self: Record<string, unknown> = { name: "loop" };
        self["self"] = self;
        return self;
      },
    ],
    ["bytes", () => ({ page: new Uint8Array(300_000) })],
    ["5 MB of text", () => "word ".repeat(1_000_000)],
    ["100,000 values", () => Array.from({ length: 100_000 }, (_, i) => i)],
    [
      "a deep nest",
      () => {
        let nest: unknown = "core";
        for (let i = 0; i < 500; i += 1) nest = { nest };
        return nest;
      },
    ],
    ["undefined", () => undefined],
    ["null", () => null],
    [
      "a getter that throws",
      () =>
        Object.defineProperty({ fine: 1 }, "bad", {
          enumerable: true,
          get: () => {
            throw new Error("no");
          },
        }),
    ],
    [
      "keys of the prototype",
      () => JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}'),
    ],
    [
      "a Map, a Date, an Error",
      () => ({ map: new Map([["a", 1]]), date: new Date(0), error: new Error("inner") }),
    ],
  ])("a tool gives %s: the host sees what it sees without capture", async (_, output) => {
    const run = async (ai: Record<string, any>, m: Major) => {
      const host = hostOf(m, ai);
      const tools = {
        odd: ai["tool"]({ description: "Odd.", inputSchema: z.object({}), execute: async () => output() }),
      };
      const model = host.model([{ calls: [{ id: "1", tool: "odd", input: {} }] }, { text: "Done." }]);
      const outcome = (await outcomeOf(() =>
        ai["generateText"]({ model, tools, prompt: question, stopWhen: stopAfter(m, 3) }),
      )) as any;
      return outcome.thrown ?? outcome.result.text;
    };
    const capture = captured(major);
    expect(await run(capture.ai, major)).toEqual(await run(major.ai, major));
    const [one] = trajectoriesOf(capture.sink);
    expect(one!.closed).toMatch(/^(complete|error)$/);
    expect(capture.spans.open.size).toBe(0);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    for (const step of one!.steps) if (step.fidelity === "step-result") expect(step.after).toBeDefined();
  });

  it("settings that are none: the SDK's own error", async () => {
    const { ai, sink } = captured(major);
    for (const settings of [undefined, null, 7, "text", [], {}]) {
      const expected = await outcomeOf(() => major.ai["generateText"](settings));
      expect(await outcomeOf(() => ai["generateText"](settings))).toEqual(expected);
      const streams = await outcomeOf(() => major.ai["streamText"](settings));
      expect(Object.keys((await outcomeOf(() => ai["streamText"](settings))) as object)).toEqual(
        Object.keys(streams as object),
      );
    }
    expect(trajectoriesOf(sink).every((one) => one.steps.length === 0)).toBe(true);
  });

  it("a sink, a task, a project and an error handler that throw", async () => {
    const fail = () => {
      throw new Error("broken");
    };
    const sink = memorySink();
    const broken = { name: "broken", open: fail };
    for (const options of [
      { sinks: [broken, sink] },
      { sinks: [sink], task: fail },
      { sinks: [sink], project: fail },
    ]) {
      const ai = withASVCapture(major.ai as never, { ...options, onError: fail }) as typeof major.ai;
      expect((await ai["generateText"](searchCall(hostOf(major, ai)))).text).toBe("The lamp is green.");
    }
    const seen = trajectoriesOf(sink);
    expect(seen.map((one) => [one.steps.length, one.closed])).toEqual(Array(3).fill([3, "complete"]));
    expect(seen[2]!.steps.every((one) => one.after === undefined)).toBe(true);
  });

  it("project picks from the live messages", async () => {
    const { ai, sink } = captured(major, { project: ({ messages }) => ({ messages: messages.slice(-1) }) });
    await ai["generateText"](searchCall(hostOf(major, ai)));
    const [run] = trajectoriesOf(sink);
    expect(run!.steps.map((one) => one.blocks)).toEqual([
      ["evidence search: found slow", "evidence search: found fast"],
      ['evidence lookup: {"value":"of harbour"}'],
      ["answer assistant: The lamp is green."],
    ]);
    expect(chains(run!)).toBe(true);
  });
});
