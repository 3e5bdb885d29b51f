import { describe, expect, test } from "vitest";
import { stateSha256, type JsonObject } from "../schema/index.ts";
import { createRedactionSession, projectState, type ProjectionPolicy } from "./index.ts";

const KEY = `sk-proj-${"aB3dE5gH7jK9mN1pQ3sT5vW7"}`;
const OTHER = `sk-proj-${"zY3dE5gH7jK9mN1pQ3sT5vW7"}`;

function stateOf(value: unknown, policy?: ProjectionPolicy): unknown {
  return projectState(value, policy).state;
}

/** The projection of one value under a neutral key. */
function formOf(value: unknown): unknown {
  return (stateOf({ x: value }) as JsonObject)["x"];
}

describe("key rules", () => {
  test("work at any depth, in lists, maps and JSON inside texts, and are counted", () => {
    const { state, report } = projectState({
      question: "q",
      deep: [{ a: { gold_answer: "B", kept: 1 } }],
      map: new Map([["password", "x"]]),
      json: '{"finalScore": 1, "b": 2}',
    });
    expect(state).toEqual({ question: "q", deep: [{ a: { kept: 1 } }], map: {}, json: '{"b":2}' });
    expect(report).toEqual({
      policy: "default",
      version: "phi-2",
      hits: { "key-answer": 1, "key-credential": 1, "key-final-score": 1 },
    });
  });
  test("find the name in a neighbouring field", () => {
    expect(
      stateOf({
        headers: [
          { name: "Authorization", value: "abc" },
          { name: "Accept", value: "x" },
        ],
      }),
    ).toEqual({
      headers: [{ name: "Authorization" }, { name: "Accept", value: "x" }],
    });
  });
  test("decide on the name that is left when a secret is cut out of it", () => {
    const name = `${"filler ".repeat(14)}${KEY} password`;
    expect(stateOf({ [name]: "x" })).toEqual({});
  });
  test("do not read what they remove", () => {
    const state = {
      get gold_answer() {
        throw new Error("must not be read");
      },
    };
    expect(projectState(state).report.hits).toEqual({ "key-answer": 1 });
  });
});

describe("text rules", () => {
  test("work on values, keys and whole states", () => {
    expect(stateOf({ [`use ${KEY}`]: `and ${KEY}` })).toEqual({
      "use [SECRET:sk-key:1]": "and [SECRET:sk-key:1]",
    });
    expect(stateOf(`a ${KEY}`)).toEqual({ blocks: [{ kind: "other", text: "a [SECRET:sk-key:1]" }] });
  });
  test("keep two keys apart that would become one", () => {
    const session = createRedactionSession();
    const { state } = projectState({ "a\ud800": 1, "a\ud801": 2 }, undefined, session);
    expect(state).toEqual({ "a\uFFFD": 1, "a\uFFFD~2": 2 });
  });
  test("keep thousands of such keys apart in linear work", () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => [
      String.fromCharCode(0xd800 + (i >> 8), 0xd800 + (i & 255)),
      i,
    ]);
    const { state } = projectState({ x: Object.fromEntries(keys) as object }, { maxChars: 1e6 });
    expect(Object.values((state as JsonObject)["x"] as object)).toEqual(keys.map(([, i]) => i));
  });
  test("union: rules that disagree leave nothing between them", () => {
    const text = `password=x-${KEY}-y`;
    expect(stateOf(text)).toEqual({ blocks: [{ kind: "other", text: "password=[SECRET:sk-key:1]" }] });
  });
  test("leave placeholders alone", () => {
    for (const text of [
      "password: [SECRET:assignment:1]",
      "postgres://u:[SECRET:url-password:1]@host",
      "[SECRET:jwt:2]",
    ]) {
      expect(stateOf({ text })).toEqual({ text });
    }
  });
  test("are not fooled by a secret dressed up as a placeholder", () => {
    const hidden = `ghp_${"abcdefghij0123456789"}`;
    expect(
      JSON.stringify(stateOf({ text: `[SECRET:${hidden.replace("_", "-")}:1] ${hidden}` })),
    ).not.toContain(hidden);
  });
});

describe("JSON inside texts", () => {
  const nested = (levels: number): string => {
    let out: unknown = { password: "hunter2", note: "kept" };
    for (let i = 0; i < levels; i += 1) out = JSON.stringify(out);
    return out as string;
  };
  test.each([1, 2, 3])("%i levels are read and written back", (levels) => {
    const text = formOf(nested(levels)) as string;
    expect(text).not.toContain("hunter2");
    let back: unknown = text;
    for (let i = 0; i < levels; i += 1) back = JSON.parse(back as string);
    expect(back).toEqual({ note: "kept" });
  });
  test("what is nested deeper goes", () => {
    const { state, report } = projectState({ x: nested(4) });
    expect(JSON.stringify(state)).not.toContain("hunter2");
    expect(report.hits).toEqual({ "removed-depth": 1 });
  });
  test("a text without finds keeps its bytes: spaces, number forms, key order", () => {
    const text = '{ "b": 1.0, "a": 12345678901234567890 }';
    expect(formOf(text)).toBe(text);
  });
  test("a key given twice cannot hide a secret", () => {
    expect(formOf(`{"a":"${KEY}","a":"x"}`)).toBe('{"a":"[SECRET:sk-key:1]","a":"x"}');
  });
  test("an escape cannot hide a secret", () => {
    expect(formOf(`{"a":"\\u0073k-${KEY.slice(3)}"}`)).toBe('{"a":"[SECRET:sk-key:1]"}');
  });
});

describe("documented forms", () => {
  class Point {
    x = 1;
    #hidden = 2;
    get sum() {
      return this.x + this.#hidden;
    }
  }
  test.each<[string, unknown, unknown]>([
    ["false", false, false],
    ["0", 0, 0],
    ["-0", -0, 0],
    ["empty text", "", ""],
    ["null", null, null],
    ["[]", [], []],
    ["{}", {}, {}],
    ["NaN", Number.NaN, "NaN"],
    ["-Infinity", -Infinity, "-Infinity"],
    ["bigint", 123456789012345678901n, "123456789012345678901"],
    ["Date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["invalid Date", new Date(Number.NaN), "Invalid Date"],
    ["Map with names", new Map([["a", 1]]), { a: 1 }],
    [
      "Map with other keys",
      new Map<unknown, unknown>([
        [1, "a"],
        [{ b: 1 }, 2],
      ]),
      [
        [1, "a"],
        [{ b: 1 }, 2],
      ],
    ],
    ["Set", new Set([1, "a"]), [1, "a"]],
    ["RegExp", /a+/g, "/a+/g"],
    ["URL", new URL("https://example.org/x"), "https://example.org/x"],
    ["boxed", Object("a"), "a"],
    ["holes and undefined in a list", [undefined, () => 1, Symbol("s")], [null, null, null]],
    [
      "undefined, function, symbol in an object",
      { a: undefined, b: () => 1, c: Symbol("s"), d: 1 },
      { d: 1 },
    ],
    ["class", new Point(), { x: 1 }],
    ["toJSON", { toJSON: () => ({ a: 1 }) }, { a: 1 }],
    ["null prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ])("%s", (_, value, form) => expect(formOf(value)).toEqual(form));

  test("Error with cause and own fields, without stack", () => {
    const error = Object.assign(new TypeError("no", { cause: new Error("why") }), { code: "E1" });
    expect(formOf(error)).toEqual({
      name: "TypeError",
      message: "no",
      cause: { name: "Error", message: "why" },
      code: "E1",
    });
  });
  test("a toJSON that returns the object itself", () => {
    const value = { a: 1, toJSON: () => value };
    expect(formOf(value)).toEqual({ a: 1 });
  });
  test("a __proto__ field stays a field", () => {
    const state = stateOf(JSON.parse('{"__proto__": {"polluted": true}, "a": 1}')) as JsonObject;
    expect(Object.keys(state)).toEqual(["__proto__", "a"]);
    expect(Object.getPrototypeOf(state)).toBe(Object.prototype);
    expect(state["polluted"]).toBeUndefined();
    expect(JSON.stringify(state)).toBe('{"__proto__":{"polluted":true},"a":1}');
  });
  test("lone surrogates become U+FFFD, pairs stay", () => {
    const { state, report } = projectState({ a: "x\ud800y😀\udc00" });
    expect(state).toEqual({ a: "x\uFFFDy😀\uFFFD" });
    expect(report.hits).toEqual({ "lone-surrogate": 2 });
    expect(stateSha256(state as JsonObject)).toMatch(/^[0-9a-f]{64}$/);
  });
  test.each<[string, unknown, unknown]>([
    ["undefined", undefined, { blocks: [] }],
    ["null", null, { blocks: [] }],
    ["a number", 5, { blocks: [{ kind: "other", text: "5" }] }],
    [
      "a list",
      ["a", { role: "user", content: "b" }, { c: 1 }],
      {
        blocks: [
          { kind: "other", text: "a" },
          { kind: "message", text: '{"content":"b","role":"user"}' },
          { kind: "other", text: '{"c":1}' },
        ],
      },
    ],
    ["a list of blocks", [{ kind: "task", text: "a" }], { blocks: [{ kind: "task", text: "a" }] }],
  ])("a state that is %s", (_, value, state) => expect(stateOf(value)).toEqual(state));
});

describe("failing closed", () => {
  const throwing = () => {
    throw new Error(KEY);
  };
  test.each<[string, () => unknown, unknown, string]>([
    [
      "getter",
      () => Object.defineProperty({ b: 1 }, "a", { get: throwing, enumerable: true }),
      { b: 1, a: "[REMOVED:unreadable]" },
      "removed-unreadable",
    ],
    ["toJSON", () => ({ toJSON: throwing }), "[REMOVED:unreadable]", "removed-unreadable"],
    ["proxy", () => new Proxy({}, { ownKeys: throwing }), "[REMOVED:unreadable]", "removed-unreadable"],
    [
      "revoked proxy",
      () => {
        const p = Proxy.revocable({}, {});
        p.revoke();
        return p.proxy;
      },
      "[REMOVED:unreadable]",
      "removed-unreadable",
    ],
    [
      "cycle",
      () => {
        const a: JsonObject = { b: 1 };
        a["a"] = a;
        return a;
      },
      { b: 1, a: "[REMOVED:cycle]" },
      "removed-cycle",
    ],
  ])("%s", (_, make, form, rule) => {
    const { state, report } = projectState({ x: make() });
    expect(state).toEqual({ x: form });
    expect(report.hits).toEqual({ [rule]: 1 });
  });
  test("an object seen twice is no cycle", () => {
    const shared = { a: 1 };
    expect(formOf([shared, shared])).toEqual([shared, shared]);
  });
  test("depth", () => {
    expect(stateOf({ a: { b: { c: {} } } }, { maxDepth: 3 })).toEqual({ a: { b: { c: "[REMOVED:depth]" } } });
  });
  test("work: texts once the budget of characters is gone", () => {
    const { state, report } = projectState({ a: "x".repeat(20), b: "y".repeat(20) }, { maxWork: 30 });
    expect(state).toEqual({ a: "x".repeat(20), b: "[REMOVED:budget]" });
    expect(report.hits).toEqual({ "removed-budget": 1 });
  });
  test("work: a list longer than the budget ends in a marker", () => {
    expect(stateOf({ a: Array.from({ length: 1000 }, () => 0) }, { maxValues: 5 })).toEqual({
      a: [0, 0, "[REMOVED:budget]"],
    });
  });
  test("work: a sparse list of four thousand million", () => {
    const list: unknown[] = [];
    list.length = 4_000_000_000;
    const { report } = projectState({ list }, { maxValues: 1000, maxChars: 100 });
    expect(report.hits).toEqual({ "removed-budget": 1 });
  });
  test.each<[string, (state: unknown) => unknown]>([
    ["throws", throwing],
    ["returns nothing", () => undefined],
    ["returns a function", () => throwing],
    ["returns a number", () => 5],
    ["returns a promise", () => Promise.resolve({ a: 1 })],
  ])("a project() that %s leaves a marker", (_, project) => {
    const { state, report } = projectState({ secret: "x" }, { project });
    expect(state).toEqual({ blocks: [{ kind: "other", text: "[REMOVED:project]" }] });
    expect(report).toEqual({ policy: "custom", version: "phi-2", hits: { "removed-project": 1 } });
  });
  test("an invalid policy leaves a marker", () => {
    const { state, report } = projectState({ a: 1 }, { maxChars: -1 });
    expect(state).toEqual({ blocks: [{ kind: "other", text: "[REMOVED:policy]" }] });
    expect(report.hits).toEqual({ "removed-policy": 1 });
  });
  test("a detector that throws or answers rubbish costs the text", () => {
    for (const detector of [
      throwing,
      () => [{ start: -1, end: 2 }],
      () => [{ start: 0, end: 99 }],
      () => 5 as never,
    ]) {
      expect(stateOf({ a: "abc" }, { detectors: [detector] })).not.toHaveProperty("a", "abc");
    }
  });
});

describe("the host's objects", () => {
  test("do not change, and every property is read once", () => {
    let reads = 0;
    const make = () => ({
      messages: [{ role: "user", content: KEY, bytes: new Uint8Array([1, 2]) }],
      map: new Map([["a", new Set([1])]]),
      gold_answer: "A",
      nested: '{"password":"x"}',
      blocks: { a: undefined },
    });
    const state = make();
    Object.defineProperty(state, "counted", { enumerable: true, get: () => (reads += 1) });
    projectState(state);
    expect(reads).toBe(1);
    expect({ ...state }).toEqual({ ...make(), counted: 2 });
  });
  test("may be frozen", () => {
    expect(stateOf(Object.freeze({ a: Object.freeze([KEY]) }))).toEqual({ a: ["[SECRET:sk-key:1]"] });
  });
});

describe("the user's own rules", () => {
  test("project() picks, rules still run on what it picked", () => {
    const project = (state: unknown) => ({ only: (state as { a: string }).a });
    expect(stateOf({ a: KEY, b: 1 }, { project })).toEqual({ only: "[SECRET:sk-key:1]" });
  });
  test("key rules remove or replace", () => {
    const keyRules = [
      { id: "ward", when: { name: ["ward"] }, do: "remove" },
      { id: "patient", when: { name: ["patient_name"] }, do: "replace" },
    ] as const;
    const { state, report } = projectState(
      { ward: 3, patientName: "Ann", other: { patient_name: "Ann" } },
      { keyRules },
    );
    expect(state).toEqual({
      patientName: "[SECRET:patient:1]",
      other: { patient_name: "[SECRET:patient:1]" },
    });
    expect(report).toMatchObject({ policy: "custom", hits: { ward: 1, patient: 2 } });
    expect(stateOf(state, { keyRules })).toEqual(state);
  });
  test.each([
    [{ text: ["MRN"] }, /MRN(?<secret>\d+)/],
    [{ token: ["MR"] }, /MRN\d+/],
    [{ always: true }, /MRN\d+/],
  ] as const)("text rules by %j", (when, pattern) => {
    const textRules = [{ id: "mrn", when, do: pattern }];
    const text = "MRN1234567890123456";
    expect(JSON.stringify(stateOf({ text }, { textRules }))).toContain("[SECRET:mrn:1]");
    expect(stateOf({ text: "MR" }, { textRules })).toEqual({ text: "MR" });
  });
  test("detectors give spans", () => {
    const detectors = [
      (text: string) =>
        text.includes("Ann")
          ? [{ start: text.indexOf("Ann"), end: text.indexOf("Ann") + 3, rule: "person" }]
          : [],
    ];
    expect(stateOf({ a: "Dear Ann," }, { detectors })).toEqual({ a: "Dear [SECRET:person:1]," });
  });
  test("built-in rules can be left out by id", () => {
    expect(stateOf({ label: "Add to cart" }, { without: ["key-label"] })).toEqual({ label: "Add to cart" });
  });
  test("personal data is opt-in", () => {
    expect(stateOf({ a: "ann@example.org" })).toEqual({ a: "ann@example.org" });
    expect(stateOf({ a: "ann@example.org" }, { personalData: ["email"] })).toEqual({ a: "[SECRET:email:1]" });
    expect(stateOf({ a: "10.0.0.1" }, { personalData: ["email"] })).toEqual({ a: "10.0.0.1" });
    expect(stateOf({ a: "10.0.0.1" }, { personalData: true })).toEqual({ a: "[SECRET:ipv4:1]" });
  });
});

describe("a session", () => {
  test("gives a secret one placeholder through all states, by whatever rule it is found", () => {
    const session = createRedactionSession();
    const first = projectState({ a: `${OTHER} and ${KEY}` }, undefined, session).state;
    const second = projectState({ a: `api_key="${KEY}"` }, undefined, session).state;
    expect(first).toEqual({ a: "[SECRET:sk-key:1] and [SECRET:sk-key:2]" });
    expect(second).toEqual({ a: 'api_key="[SECRET:sk-key:2]"' });
  });
  test("counts the same whether a text is read or remembered", () => {
    const session = createRedactionSession();
    const long = `${"prose ".repeat(100)}${KEY}`;
    const first = projectState({ a: long }, undefined, session);
    expect(projectState({ a: long, b: long }, undefined, session).report.hits).toEqual({ "sk-key": 2 });
    expect(first.report.hits).toEqual({ "sk-key": 1 });
  });
  test("does not give a new secret the number of an old placeholder", () => {
    expect(stateOf({ a: "[SECRET:sk-key:7]", b: KEY })).toEqual({
      a: "[SECRET:sk-key:7]",
      b: "[SECRET:sk-key:8]",
    });
  });
  test("does not show its secrets when printed", () => {
    const session = createRedactionSession();
    projectState({ a: KEY }, undefined, session);
    expect(JSON.stringify(session)).not.toContain(KEY);
    expect(JSON.stringify(Object.entries(session))).not.toContain(KEY);
  });
});
