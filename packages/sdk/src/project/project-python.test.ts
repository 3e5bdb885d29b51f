import { describe, expect, test } from "vitest";
import { createRedactionSession, projectState, type ProjectionPolicy } from "./index.ts";

const KEY = `sk-proj-${"aB3dE5gH7jK9mN1pQ3sT5vW7"}`;

function project(text: string, policy?: ProjectionPolicy): { text: unknown; hits: Record<string, number> } {
  const { state, report } = projectState({ x: text }, policy);
  return { text: (state as { x?: unknown }).x, hits: report.hits };
}

describe("a text that Python printed", () => {
  test.each<[string, string]>([
    ["{'gold_answer': 'B', 'hits': [1, None, True]}", "{'hits': [1, None, True]}"],
    ["{'hits': [1, None, True], 'gold_answer': 'B'}", "{'hits': [1, None, True]}"],
    ["{'a': 1, 'gold': 2, 'golds': 3, 'b': 4, 'gold_id': 5}", "{'a': 1, 'b': 4}"],
    ["{'gold': 1, 'gold_id': 2,}", "{}"],
    ["{'a': 1, 'gold': 2,}", "{'a': 1,}"],
    ["{'a': 1,\n 'gold': 2,\n 'b': (3,)}", "{'a': 1,\n 'b': (3,)}"],
    [`[{"GoldAnswer": 'B', 'n': 12345678901234567890123}]`, "[{'n': 12345678901234567890123}]"],
    ["{'gold': 1, 'z': [1_000, 1.50, 1e-3, 2j, nan, -inf]}", "{'z': [1_000, 1.50, 1e-3, 2j, nan, -inf]}"],
    ["{b'gold': 1, u'gold': 2, 'b': {3}}", "{'b': {3}}"],
    ["{('gold', 1): 1, 'gold': {'x': [1, (2,)]}}", "{('gold', 1): 1}"],
    ["Document(page_content='..', metadata={'gold': 'B'})", "Document(page_content='..', metadata={})"],
    ["[Answer(gold='B', text='it\\'s'), None]", "[Answer(text='it\\'s'), None]"],
    ["Answer(text='x', gold=Ref(1), n=1)", "Answer(text='x', n=1)"],
    ["Answer(gold='B')", "Answer()"],
    ["OrderedDict([('gold', 'B'), ('n', 1)])", "OrderedDict([('n', 1)])"],
    ["<Answer gold='B' text='x'>", "<Answer text='x'>"],
    ["[<Answer text='x' gold='B'>, {'gold': 1}]", "[<Answer text='x'>, {}]"],
    ["text='x' gold='B' n=1", "text='x' n=1"],
    ["text='x' gold='B'", "text='x'"],
    ['{"a": NaN, "gold": "B"}', '{"a": NaN}'],
    ["{ gold: 'B', hits: [ 1, null ] }", "{ hits: [ 1, null ] }"],
    ["run(x, {'gold': 1})", "run(x, {})"],
    ["[{'name': 'Authorization', 'value': 'abc'}]", "[{'name': 'Authorization'}]"],
    ["{'success': True, 'success_rate': 0.8}", "{'success_rate': 0.8}"],
    ["{'success': '80% of the patients'}", "{'success': '80% of the patients'}"],
    [`{'a': 'use ${KEY} here', 'b': "it's"}`, `{'a': 'use [SECRET:sk-key:1] here', 'b': "it's"}`],
    [`{'it\\'s ${KEY}': 1}`, `{"it's [SECRET:sk-key:1]": 1}`],
    [`[b'\\x1b[0m ${KEY}']`, "[b'\\x1b[0m [SECRET:sk-key:1]']"],
    [`['\\x73k-${KEY.slice(3)}']`, "['[SECRET:sk-key:1]']"],
    ["('a'\n 'b', {'gold': 1})", "('a'\n 'b', {})"],
    ["['\\ud800']", "['\uFFFD']"],
  ])("%s", (given, expected) => {
    expect(project(given).text).toBe(expected);
    expect(project(expected)).toEqual({ text: expected, hits: {} });
    // The same as a block's text, where it must stay a text.
    const { state } = projectState({ blocks: [{ kind: "evidence", text: given }] });
    expect(state).toEqual({ blocks: [{ kind: "evidence", text: expected }] });
  });

  test.each([
    "{'answer': 'B',   'hits':[1,2 , 3,],}",
    "  ( 'a' , )  ",
    "{'a': \"needless\", 'b': '\\u00e9\\N{DEGREE SIGN}\\d', 'c': r'\\d', 'd': '''x'''}",
    "Answer(text='x', score=0.5, at=datetime.datetime(2024, 1, 1))",
    "plt.plot(x, y, label='control')",
    "client.create(model='m', timestamp=1)",
    "(Smith, 2020)",
    "b'\\x1b[1m caf\\xc3\\xa9'",
    "a='x' b=None c=<Role.USER: 'user'>",
    "{'nested': \"{'still': 'fine'}\"}",
  ])("keeps its bytes where nothing was found: %j", (text) => {
    expect(project(text)).toEqual({ text, hits: {} });
  });

  test.each([
    "Result: {'gold_answer': 'B'}",
    'Result: {"gold_answer": "B"}',
    "{'gold_answer': 'B'} {'gold_answer': 'C'}",
    '{"gold_answer": "B"} {"gold_answer": "C"}',
    "{'gold_answer': 'B'",
    '{"gold_answer": "B"',
  ])("is not looked for inside other text, and neither is JSON: %j", (text) => {
    expect(project(text)).toEqual({ text, hits: {} });
  });

  test("is counted as a value is", () => {
    const { hits } = project(`{'gold': 1, 'x': [{'password': 'p'}, '${KEY}', b'\\xff']}`);
    expect(hits).toEqual({ bytes: 1, "key-answer": 1, "key-credential": 1, "sk-key": 1 });
  });

  test("describes bytes that hold no text, and payloads", () => {
    const payload = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk9Q1w";
    const sha = /^\{'media_type': '(.*)', 'bytes': (\d+), 'sha256': '[0-9a-f]{64}'\}$/;
    expect(sha.exec(project("b'\\x00\\x01\\xff'").text as string)?.slice(1)).toEqual([
      "application/octet-stream",
      "3",
    ]);
    const { text } = project(`{'mime_type': 'image/png', 'data': '${payload}'}`);
    expect(text).toMatch(
      /^\{'mime_type': 'image\/png', 'data': \{'media_type': 'image\/png', 'bytes': 48, 'sha256': '/,
    );
    expect(project(text as string)).toEqual({ text, hits: {} });
  });

  test("gives a secret its placeholder throughout a trajectory", () => {
    const session = createRedactionSession();
    projectState({ a: `${KEY}X and ${KEY}` }, undefined, session);
    const { state } = projectState({ a: `{'k': '${KEY}'}` }, undefined, session);
    expect(state).toEqual({ a: "{'k': '[SECRET:sk-key:2]'}" });
  });

  test("gives rules a value to look at", () => {
    const seen: unknown[] = [];
    const value = (given: unknown) => seen.push(given) > 0;
    const keyRules = [{ id: "ward", when: { name: ["ward"], value }, do: "replace" as const }];
    const { text } = project("[{'ward': 'A1'}, {'ward': {'n': [1, None]}}, W(ward=3)]", { keyRules });
    expect(seen).toEqual(["A1", { n: [1, null] }, 3]);
    expect(text).toBe(
      "[{'ward': '[SECRET:ward:1]'}, {'ward': '[SECRET:ward:2]'}, W(ward='[SECRET:ward:2]')]",
    );
  });
});

describe("texts in texts", () => {
  const repr = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const nested = (levels: number, wrap: (text: string, i: number) => string): string => {
    let out = "{'gold': 'hunter2', 'note': 'kept'}";
    for (let i = 1; i < levels; i += 1) out = wrap(out, i);
    return out;
  };
  const wraps: [string, (text: string, i: number) => string][] = [
    ["Python in Python", repr],
    ["Python in JSON", (text) => JSON.stringify(text)],
    ["in turns", (text, i) => (i % 2 === 0 ? repr(text) : JSON.stringify(text))],
  ];
  describe.each(wraps)("%s", (_, wrap) => {
    test.each([1, 2, 3])("%i levels are read", (levels) => {
      const { text, hits } = project(nested(levels, wrap));
      expect(text).not.toContain("hunter2");
      expect(text).toContain("kept");
      expect(hits).toEqual({ "key-answer": 1 });
      expect(project(text as string)).toEqual({ text, hits: {} });
    });
    test("what is nested deeper goes", () => {
      const { text, hits } = project(nested(4, wrap));
      expect(text).not.toContain("hunter2");
      expect(hits).toEqual({ "removed-depth": 1 });
    });
  });
  test("what can hide nothing stays however deep it stands", () => {
    const text = JSON.stringify([JSON.stringify([JSON.stringify(["(Smith, 2020)"])])]);
    expect(project(text)).toEqual({ text, hits: {} });
  });
});

describe("failing closed", () => {
  test("depth", () => {
    expect(project("{'a': [{'b': (1,)}]}", { maxDepth: 3 })).toEqual({
      text: "{'a': [{'b': '[REMOVED:depth]'}]}",
      hits: { "removed-depth": 1 },
    });
    const deep = `${"{'a': ".repeat(500)}{'gold': 'hunter2'}${"}".repeat(500)}`;
    expect(project(deep).text).not.toContain("hunter2");
    expect(project(deep, { maxDepth: 256 }).text).not.toContain("hunter2");
  });
  test("work: texts once the budget of characters is gone", () => {
    const text = `[${"'aaaaaaaaaaaaaaaaaaaa', ".repeat(3)}]`;
    const { text: out, hits } = project(text, { maxWork: text.length + 25 });
    expect(out).toBe("['aaaaaaaaaaaaaaaaaaaa', '[REMOVED:budget]', '[REMOVED:budget]', ]");
    expect(hits).toEqual({ "removed-budget": 2 });
  });
  test("work: values", () => {
    expect(project("[1, 2, 3, 4, 5, 6, None]", { maxValues: 7 }).text).toBe("[REMOVED:budget]");
    // The state, its field and every container and element count.
    const marker = "'[REMOVED:budget]'";
    expect(project("[1, (2, 3), 4, None]", { maxValues: 8 }).text).toBe(`[1, (2, 3), ${marker}]`);
    expect(project("{1: [], 2: [], 3: []}", { maxValues: 7 }).text).toBe(
      `{1: [], 2: [], 'removed': ${marker}}`,
    );
    expect(project("A([], gold=[], y=1, z=2)", { maxValues: 5 }).text).toBe(`A([], removed=${marker})`);
    expect(project("[[], [], None]", { maxValues: 4 }).text).toBe(`[${marker}, ${marker}]`);
    const list = `[${"1, ".repeat(100)}None]`;
    expect(project(list, { maxValues: 100 }).hits).toEqual({ "removed-budget": 1 });
  });
});
