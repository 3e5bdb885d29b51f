import { describe, expect, it, vi } from "vitest";
import { createRecorder } from "./recorder.ts";
import { memorySink } from "./memory-sink.ts";
import type { Sink, TrajectorySink } from "./sink.ts";

function capture(state: unknown): { text: string; errors: Error[] } {
  const sink = memorySink();
  const errors: Error[] = [];
  const recorder = createRecorder({ sinks: [sink], onError: (error) => errors.push(error) });
  const run = recorder.trajectory();
  run.step({ action: { type: "a", args: state }, before: state }).end({ after: state, observation: state });
  run.close();
  return { text: sink.records.map((record) => JSON.stringify(record)).join("\n"), errors };
}

const cyclic: Record<string, unknown> = { name: "loop" };
cyclic["self"] = cyclic;
const hostile: [string, unknown][] = [
  ["a cycle", cyclic],
  ["bigint, function, symbol, NaN", { big: 10n, f: () => 1, s: Symbol("x"), nan: Number.NaN }],
  [
    "a throwing getter",
    Object.defineProperty({}, "x", {
      get: () => {
        throw new Error("no");
      },
      enumerable: true,
    }),
  ],
  ["2 MB of text", { text: "word ".repeat(400_000) }],
  [
    "400 messages",
    { messages: Array.from({ length: 400 }, (_, i) => ({ role: "user", content: `m${i} `.repeat(50) })) },
  ],
  ["lone surrogates and line separators", { text: "\ud800 \u2028 \u0085 \r\n" }],
  ["a text", "just a text"],
  ["null", null],
  ["a number", 7],
  ["__proto__ as a key", JSON.parse('{"__proto__":{"polluted":true}}')],
];

const unreadable: [string, unknown][] = [
  [
    "a throwing toJSON",
    {
      toJSON: () => {
        throw new Error("no");
      },
    },
  ],
  [
    "a proxy that always throws",
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no");
        },
      },
    ),
  ],
];

describe("a hostile state", () => {
  it.each(hostile)("%s: is recorded as one line of valid JSON, bounded, without an exception", (_, state) => {
    const { text, errors } = capture(state);
    const records = text.split("\n").map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(records.map(({ record }) => record)).toEqual(["open", "step", "close"]);
    expect(records[1]).toHaveProperty("state_after.blocks");
    expect(text.length).toBeLessThan(100_000);
    expect(errors).toEqual([]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("a state that cannot be read at all", () => {
  it.each(unreadable)("%s: is left out, since what is left is nothing an agent wrote", (_, state) => {
    const { text, errors } = capture(state);
    const step = JSON.parse(text.split("\n")[1]!) as Record<string, unknown>;
    expect(step).toMatchObject({ damaged: ["state_before", "state_after"], action: { type: "a" } });
    expect(step).not.toHaveProperty("state_after");
    expect(errors).toMatchObject([{ problem: "projection_failed" }, { problem: "projection_failed" }]);
  });
});

describe("callbacks of the host", () => {
  const rubbish: [string, (state: unknown) => unknown][] = [
    [
      "throws",
      () => {
        throw new Error("secret state text");
      },
    ],
    ["gives undefined", () => undefined],
    ["gives a function", () => () => 1],
    ["gives a promise that rejects", () => Promise.reject(new Error("late"))],
  ];

  it.each(rubbish)("project %s: the step is kept without states, counted as damaged", async (_, project) => {
    const sink = memorySink();
    const errors: Error[] = [];
    const recorder = createRecorder({ sinks: [sink], project, onError: (error) => errors.push(error) });
    recorder
      .trajectory()
      .step({ action: { type: "a" }, before: { n: 1 } })
      .end({ after: { n: 2 } });
    const step = sink.records.find(({ record }) => record === "step")!;
    expect(step).toMatchObject({ damaged: ["state_before", "state_after"], action: { type: "a" } });
    expect(step).not.toHaveProperty("state_after");
    expect(await recorder.flush()).toMatchObject({ written: 1, damaged: 1 });
    expect(errors).toMatchObject([{ problem: "projection_failed" }, { problem: "projection_failed" }]);
    expect(errors.map(String).join()).not.toContain("secret state text");
  });

  const tasks: [string, () => never][] = [
    [
      "throws",
      () => {
        throw new Error("x");
      },
    ],
    ["gives a number", (() => 7) as unknown as () => never],
    ["gives a promise that rejects", (() => Promise.reject(new Error("late"))) as unknown as () => never],
  ];

  it.each(tasks)("task %s: the run is captured without its task", async (_, task) => {
    const sink = memorySink();
    const errors: Error[] = [];
    const recorder = createRecorder({ sinks: [sink], task, onError: (error) => errors.push(error) });
    recorder
      .trajectory({ id: "t" })
      .step({ action: { type: "a" }, before: {} })
      .end({ after: {} });
    await Promise.resolve();
    expect(sink.records[0]).toMatchObject({ task: { task_id: "t", question: "" } });
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(error).toMatchObject({ problem: "task_failed" });
  });

  it("task is given the input of the run", () => {
    const sink = memorySink();
    const recorder = createRecorder({
      sinks: [sink],
      task: (input) => ({ question: `about ${String(input)}` }),
    });
    recorder.trajectory({ input: "owls" });
    expect(sink.records[0]).toMatchObject({ task: { question: "about owls" } });
  });

  it("onError may throw or reject", async () => {
    const project = () => {
      throw new Error("x");
    };
    for (const onError of [
      () => {
        throw new Error("y");
      },
      () => Promise.reject(new Error("z")) as unknown as void,
    ]) {
      const recorder = createRecorder({ sinks: [memorySink()], project, onError });
      recorder
        .trajectory()
        .step({ action: { type: "a" }, before: {} })
        .end();
      expect((await recorder.flush()).errors).toHaveLength(1);
    }
  });

  it("without onError, the console gets one warning a kind of problem", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    try {
      const project = () => {
        throw new Error("x");
      };
      const recorder = createRecorder({ sinks: [memorySink()], project });
      const run = recorder.trajectory();
      for (let i = 0; i < 5; i++) run.step({ action: { type: "a" }, before: {} }).end({ after: {} });
      expect(warn).toHaveBeenCalledTimes(1);
    } finally {
      warn.mockRestore();
    }
  });
});

describe("a sink that fails", () => {
  const fail = () => {
    throw new Error("sink");
  };
  const broken: [string, Sink][] = [
    ["in open", { name: "x", open: fail }],
    ["in begin", { name: "x", open: () => ({ begin: fail, close: fail }) }],
    ["in end", { name: "x", open: () => ({ begin: () => ({ end: fail }), close: fail }) }],
    [
      "in a promise",
      {
        name: "x",
        open: () => ({
          begin: () => ({ end: () => Promise.reject(new Error("sink")) as unknown as void }),
          close: fail,
        }),
        flush: () => Promise.reject(new Error("flush")),
        shutdown: fail,
      },
    ],
  ];

  it.each(broken)("%s: the other sink has everything and the report counts the loss", async (_, sink) => {
    const good = memorySink();
    const errors: Error[] = [];
    const recorder = createRecorder({ sinks: [sink, good], onError: (error) => errors.push(error) });
    const run = recorder.trajectory();
    run.step({ action: { type: "a" }, before: {} }).end({ after: {} });
    run.close();
    const report = await recorder.shutdown();
    expect(good.records).toHaveLength(3);
    expect(report.written + report.dropped).toBe(1);
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(error).toMatchObject({ problem: "sink_failed" });
  });
});

describe("a sink that loses one step", () => {
  it("gets the before-state of the next one, since nothing it has can stand in for it", () => {
    const sink = memorySink();
    let lose = true;
    const losing: Sink = {
      ...sink,
      open(event, report) {
        const inner = sink.open(event, report) as TrajectorySink;
        return {
          ...inner,
          begin(start) {
            const step = inner.begin(start);
            return { end: (end) => (lose ? false : step.end(end)) };
          },
        };
      },
    };
    const run = createRecorder({ sinks: [losing] }).trajectory();
    run.step({ action: { type: "a" }, before: { n: 0 } }).end({ after: { n: 1 } });
    lose = false;
    run.step({ action: { type: "b" } }).end({ after: { n: 2 } });
    run.close();
    expect(sink.records[1]).toMatchObject({ index: 1, state_before: { blocks: [{ text: "1" }] } });
  });
});

describe("calls without sense", () => {
  it("throw nothing at the host", async () => {
    const errors: Error[] = [];
    const recorder = createRecorder({ sinks: [memorySink()], onError: (error) => errors.push(error) });
    const bad = undefined as never;
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new Error("trap");
        },
      },
    ) as never;
    for (const options of [bad, trap, null as never]) {
      recorder.trajectory(options).step(options).end(options);
      const run = recorder.trajectory({ id: "t" });
      run.step({ action: { type: "a" }, before: trap }).end(trap);
      run.close(trap);
      run.close(null as never);
    }
    const run = recorder.trajectory();
    run.step({ action: trap }).end({ action: trap, error: trap, observation: trap, cost: trap });
    expect((await recorder.shutdown()).errors.length).toBeGreaterThan(0);
  });

  it("of options are refused when the recorder is made", () => {
    expect(() => createRecorder({ maxOpenMs: -1 })).toThrow("maxOpenMs");
    expect(() => createRecorder({ states: "all" as "inline" })).toThrow("states");
    expect(() => createRecorder({ policy: { maxChars: -5 } })).toThrow("maxChars");
    expect(() => createRecorder({ onError: 7 as never })).toThrow("onError");
  });
});

describe("no sink at all", () => {
  it("warns once and does nothing", async () => {
    const errors: Error[] = [];
    const project = vi.fn();
    const recorder = createRecorder({ sinks: [], project, onError: (error) => errors.push(error) });
    for (let i = 0; i < 3; i++) {
      const run = recorder.trajectory();
      expect(run.recording).toBe(false);
      const shared = run.snapshot({ n: 1 });
      run.step({ action: { type: "a" }, before: shared }).end({ after: { n: 2 } });
      run.close();
    }
    expect(project).not.toHaveBeenCalled();
    expect(errors).toMatchObject([{ problem: "no_sink" }]);
    expect(await recorder.flush()).toMatchObject({ written: 0, dropped: 0 });
  });
});
