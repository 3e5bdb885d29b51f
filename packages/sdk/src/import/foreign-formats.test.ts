import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AsvError } from "../errors/index.ts";
import type { JsonValue } from "../schema/index.ts";
import { importAtif } from "./atif/import-atif.ts";
import { documents, importedAll } from "./importing.test-support.ts";
import { importInspect } from "./inspect/import-inspect.ts";
import { importLangfuse } from "./langfuse/import-langfuse.ts";
import { importSweAgent } from "./swe-agent/import-swe-agent.ts";
import { importTau2 } from "./tau/import-tau2.ts";
import { importTauBench } from "./tau/import-tau-bench.ts";

const user = { role: "user", content: "Which city?" };
const asks = {
  role: "assistant",
  content: "",
  tool_calls: [{ id: "c", function: { name: "find", arguments: "{}" } }],
};
const found = { role: "tool", tool_call_id: "c", content: "found" };
const answer = { role: "assistant", content: [{ type: "text", text: "Kyoto" }] };

/** A whole small document of each format. */
const formats = {
  langfuse: {
    run: importLangfuse,
    document: {
      trace: { id: "t", name: "n", input: "Which city?", scores: [{ value: 1 }] },
      observations: [
        {
          id: "a",
          parentObservationId: "r",
          type: "GENERATION",
          name: "g",
          startTime: "2025-01-01T00:00:00Z",
          endTime: "2025-01-01T00:00:01Z",
          input: JSON.stringify([user]),
          output: JSON.stringify(asks),
          metadata: "{}",
        },
        {
          id: "b",
          parentObservationId: "r",
          type: "TOOL",
          name: "find",
          startTime: "2025-01-01T00:00:02Z",
          input: "{'q': 1}",
          output: "found",
        },
        { id: "r", type: "SPAN", name: "root", startTime: "2025-01-01T00:00:00Z" },
      ],
    },
  },
  "swe-agent": {
    run: importSweAgent,
    document: {
      instance_id: "i",
      trajectory: [
        { action: "ls", observation: "a", thought: "t", response: "r", state: '{"a": 1}', execution_time: 1 },
      ],
      history: [{ role: "system", content: "s" }, user],
      info: { exit_status: "submitted" },
    },
  },
  inspect: {
    run: importInspect,
    document: {
      version: 2,
      eval: { task: "t", model: "m" },
      samples: [
        {
          id: 1,
          epoch: 1,
          input: "Which city?",
          target: "A",
          choices: ["Kyoto", "Nara"],
          messages: [user, asks, found, answer],
          attachments: { x: "long" },
          scores: { s: { value: "C" } },
          events: [
            { event: "sample_init", state: { messages: [user], store: { a: 1 } } },
            { event: "state", changes: [{ op: "add", path: "/messages/-", value: asks }] },
            { event: "store", changes: [{ op: "replace", path: "/a", value: 2 }] },
            { event: "span_begin", id: "s", type: "tool", parent_id: "p" },
            {
              event: "model",
              span_id: "s",
              input: [user],
              output: { choices: [{ message: asks }], usage: {} },
            },
            { event: "tool", span_id: "s", function: "find", arguments: {}, result: "attachment://x" },
          ],
        },
      ],
    },
  },
  "tau-bench": {
    run: importTauBench,
    document: [
      {
        task_id: 1,
        trial: 0,
        reward: 1,
        info: { task: { actions: [1] } },
        traj: [user, asks, found, answer],
      },
    ],
  },
  tau2: {
    run: importTau2,
    document: {
      info: { environment_info: { domain_name: "d" } },
      tasks: [{ id: "1" }],
      simulations: [
        {
          id: "x",
          task_id: "1",
          trial: 0,
          reward_info: { reward: 0 },
          messages: [user, asks, found, answer],
          ticks: null,
        },
        {
          id: "y",
          task_id: "1",
          ticks: [{ agent_chunk: { content: "a" }, user_chunk: { content: "b" }, agent_tool_calls: [] }],
        },
      ],
    },
  },
  atif: {
    run: importAtif,
    document: {
      schema_version: "ATIF-v1.7",
      session_id: "s",
      agent: { name: "a" },
      steps: [
        { step_id: 1, source: "user", message: "Which city?" },
        {
          step_id: 2,
          source: "agent",
          message: "m",
          tool_calls: [{ tool_call_id: "c", function_name: "f", arguments: {} }],
          observation: { results: [{ source_call_id: "c", content: "r" }] },
          metrics: { prompt_tokens: 1 },
        },
      ],
      subagent_trajectories: [{ schema_version: "ATIF-v1.7", agent: {}, steps: [] }],
    },
  },
} as const;

describe.each(Object.entries(formats))("a %s document that comes twice", (_, { run, document }) => {
  it("gives what it gives once, and says so", async () => {
    const once = await importedAll(run(documents(document)));
    const twice = await importedAll(run(documents(document, structuredClone(document))));
    expect(twice.trajectories).toEqual(once.trajectories);
    expect(twice.report.warningCounts["repeated_record"]).toBe(
      once.trajectories.filter(({ metadata }) => metadata["parent_trajectory"] === undefined).length,
    );
  });
});

/** Every place in a document, as a list of keys. */
function places(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...inner.flatMap(([key, item]) => places(item, [...path, key]))];
}

function withChange(value: unknown, path: readonly (string | number)[], change: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change;
  if (Array.isArray(value))
    return value.map((item: unknown, i) => (i === key ? withChange(item, rest, change) : item));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, item]) => [
      name,
      name === key ? withChange(item, rest, change) : (item as unknown),
    ]),
  );
}

const oddities = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": 1}}'),
    "\ud800 half a pair",
    "__proto__",
    -1,
    1e308,
    [],
    {},
    "",
    null,
    true,
    [[[[[[]]]]]],
    { role: "assistant" },
    "x".repeat(30_000),
  ),
);

describe.each(Object.entries(formats))("documents of %s", (_, { run, document }) => {
  it("come in as they are", async () => {
    const { trajectories } = await importedAll(run(documents(document)));
    expect(trajectories[0]!.steps.length).toBeGreaterThan(0);
  });

  it("with anything in any place give trajectories that can be written, or an error that names the place", async () => {
    const change = fc.tuple(fc.constantFrom(...places(document)), oddities);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const changed = changes.reduce<unknown>((value, [path, by]) => {
          try {
            return withChange(value, path, by);
          } catch {
            return value; // an earlier change took the place away
          }
        }, document);
        try {
          await importedAll(run(documents(changed)));
        } catch (error) {
          expect(AsvError.isInstance(error), String(error)).toBe(true);
          expect(String(error)).toMatch(/runs\.json:1/);
        }
        expect({}).not.toHaveProperty("polluted");
      }),
      { numRuns: 300 },
    );
  });

  it("give the same trajectories each time, and leave the document as it was", async () => {
    const before = JSON.stringify(document);
    const first = await importedAll(run(documents(document)));
    const again = await importedAll(run(documents(document)));
    expect(again.trajectories).toEqual(first.trajectories);
    expect(again.report).toEqual(first.report);
    expect(JSON.stringify(document)).toBe(before);
  });

  it("that are no JSON are refused without showing them", async () => {
    const text = JSON.stringify(document).slice(0, -10);
    const lines = [{ place: { source: "runs.json", line: 1 }, text }];
    await expect(importedAll(run(lines))).rejects.toThrow(/^runs\.json:1: not valid JSON$/);
  });

  it("hold their text in states of bounded size", async () => {
    const long = JSON.parse(
      JSON.stringify(document).replaceAll("Which city?", `Which city? ${"word ".repeat(20_000)}`),
    ) as JsonValue;
    const { trajectories } = await importedAll(run(documents(long)));
    for (const { steps } of trajectories) {
      for (const { stateAfter } of steps) expect(JSON.stringify(stateAfter).length).toBeLessThan(60_000);
    }
  });
});
