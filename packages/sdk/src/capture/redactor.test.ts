import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactionPolicies } from "./redaction-policies.ts";
import { Redactor } from "./redactor.ts";

/** The default limits spelled out: the same rules, and every text searched every time. */
const SEARCH_ALL = { maxDepth: 64 };

const texts = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 90 }),
  fc.constantFrom(
    "search",
    "Authorization",
    "image/png",
    "Buffer",
    "[SECRET:github-token:3]",
    `ghp_${"aB3dE5gH7j".repeat(4)}`,
    `sk-proj-${"aB3dE5gH7jK9".repeat(4)}`,
    `{"password":"hunter2hunter2","a":"ghp_${"zB3dE5gH7j".repeat(4)}"}`,
    `data:image/png;base64,${"iVBORw0KGgo".repeat(9)}`,
    "aB3dE5gH7jK9mN1p".repeat(6),
    "x".repeat(700),
    "\ud800 alone",
    "{'gold_answer': 'B', 'hits': [1, None, True]}",
    "{'answer': 'B'}",
    `Document(page_content='ghp_${"zB3dE5gH7j".repeat(4)}', metadata={'gold': 'B'})`,
    "Answer(text='x', at=datetime.date(2024, 1, 1))",
    "text='x' gold='B'",
    "b'\\xff\\x00'",
    "('a',)",
    `{'a': "[SECRET:github-token:5]"}`,
    `{'gold': 1, 'data': '${"aB3dE5gH7jK9mN1p".repeat(6)}'}`,
    `${"[".repeat(70)}None${"]".repeat(70)}`,
  ),
);
const names = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("type", "node", "calls", "args", "q", "name", "value", "key") },
  fc.constantFrom("password", "gold", "media_type", "data", "api_key", "__proto__", "toJSON", "1"),
  texts,
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.constantFrom<unknown>(null, true, 0, -0, 1.5, NaN, Infinity, undefined, 10n, new Date(0)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(names, tie("value"), { maxKeys: 4 }),
  ),
}));
const blocks = fc.record(
  {
    kind: fc.constantFrom("task", "evidence", "tool_call", "answer", "nonsense"),
    name: fc.oneof(texts, fc.constant("n".repeat(201))),
    text: texts,
  },
  { requiredKeys: ["kind", "text"] },
);
const states = fc.oneof(
  { weight: 4, arbitrary: fc.record({ blocks: fc.array(blocks, { maxLength: 5 }) }) },
  fc.record({ blocks: fc.array(blocks, { maxLength: 2 }), more: texts }),
  values,
);

describe("what is known from before", () => {
  it("gives every value and every state just as a search of all of it does", () => {
    // One recorder for all runs, as in a host that lives long.
    const shared = redactionPolicies({ maxChars: 600 });
    const steps = fc.array(fc.tuple(states, values), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(steps, fc.constantFrom(40, 300, 8000), (given, maxChars) => {
        const quick = new Redactor(shared);
        const thorough = new Redactor(redactionPolicies({ maxChars: 600, ...SEARCH_ALL }));
        for (const [state, value] of [...given, ...given]) {
          const [a, b] = [quick.snapshot(state), thorough.snapshot(state)];
          expect(a?.text).toBe(b?.text);
          expect(a?.sha256).toBe(b?.sha256);
          expect(a?.hits).toEqual(b?.hits);
          const [c, d] = [quick.value(value, maxChars), thorough.value(value, maxChars)];
          expect(JSON.stringify(c)).toBe(JSON.stringify(d));
          expect(quick.takeSummary()).toEqual(thorough.takeSummary());
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([{}, { personalData: true as const }])("leaves every run id as it is under %j", (policy) => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const policies = redactionPolicies(policy);
        const projected = new Redactor(redactionPolicies({ ...policy, ...SEARCH_ALL })).text(id, 256);
        expect(new Redactor(policies).text(id, 256)).toBe(projected);
      }),
      { numRuns: 200 },
    );
  });

  it("asks a rule of the caller's own about every text, every time", () => {
    const asked: string[] = [];
    const detector = (text: string) => {
      asked.push(text);
      return [];
    };
    const redactor = new Redactor(redactionPolicies({ detectors: [detector] }));
    for (let i = 0; i < 2; i += 1) redactor.value("the same text", 100);
    expect(asked.filter((text) => text === "the same text")).toHaveLength(2);
  });

  it("reads a getter once, also where the rest is known", () => {
    const redactor = new Redactor(redactionPolicies());
    redactor.value({ type: "a", args: "b" }, 100);
    let reads = 0;
    const action = {
      type: "a",
      get args() {
        reads += 1;
        return "b";
      },
    };
    expect(redactor.value(action, 100)).toEqual({ type: "a", args: "b" });
    expect(reads).toBe(1);
  });
});
