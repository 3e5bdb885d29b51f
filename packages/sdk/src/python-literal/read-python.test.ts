import { describe, expect, it } from "vitest";
import type { PythonNode } from "./python-node.ts";
import { readPython } from "./read-python.ts";

/** A value's kind, and its parts as `key=kind`. */
function shape({ kind, parts }: PythonNode, text: string): string {
  const inner = parts.map(({ key, value }) =>
    key === undefined ? shape(value, text) : `${text.slice(key.start, key.end)}=${shape(value, text)}`,
  );
  return inner.length === 0 ? kind : `${kind}(${inner.join(" ")})`;
}

function shapeOf(text: string, mostDepth = 64): string | undefined {
  const read = readPython(text, mostDepth, 1000);
  return read === undefined || read === "too many" ? read : shape(read.root, text);
}

describe("readPython", () => {
  // All but the last six were printed by CPython 3.11, pydantic 2 and NumPy.
  it.each([
    ["{'a': [1, None], 'b': (1,)}", "dict('a'=list(scalar scalar) 'b'=tuple(scalar))"],
    ["{1, 'a'}", "set(scalar text)"],
    ["b'x'", "bytes"],
    ["'it\\'s'", "text"],
    ["Answer(gold='B', text='x')", "call(gold=text text=text)"],
    ["f.<locals>.Answer(n=-1)", "call(n=scalar)"],
    ["namespace(gold='B')", "call(gold=text)"],
    ["Page[Answer](data=[])", "call(data=list)"],
    ["OrderedDict([('gold', 'B'), ('n', 1)])", "call(list('gold'=text 'n'=scalar))"],
    ["dict_items([('gold', 'B')])", "call(list('gold'=text))"],
    ["defaultdict(<class 'list'>, {'a': []})", "call(angle(name text) dict('a'=list))"],
    ["array([1., 2.], dtype=float32)", "call(list(scalar scalar) name)"],
    ["[datetime.datetime(2024, 1, 2, 0, 0)]", "list(call(scalar scalar scalar scalar scalar))"],
    ["<Role.USER: 'user'>", "angle(name text)"],
    ["<Role.X: {'gold': 1}>", "angle(name dict('gold'=scalar))"],
    ["<function f.<locals>.g at 0x7f>", "angle(name name name name)"],
    ["<Answer gold='B' n=1 at=2024-01-01>", "angle(name gold=text n=name at=name)"],
    ["<Response [200]>", "angle(name name)"],
    ["<f (a) -> b>", "angle(name name name name)"],
    [
      "gold='B' n=1 when=datetime.date(2024, 1, 1)",
      "fields(gold=text n=scalar when=call(scalar scalar scalar))",
    ],
    ["{'a': 1, ...}", "dict('a'=scalar name)"],
    ["plot(x, label='a')", "call(name text)"],
    ["{a: null, 'b': nan}", "dict(a=name 'b'=scalar)"],
    ["(Smith, 2020)", "tuple(name scalar)"],
    ["('a'\n 'b')", "text"],
  ])("reads %s", (text, expected) => expect(shapeOf(text)).toBe(expected));

  it.each([
    "prose about (things)",
    "Result: {'gold': 'B'}",
    "{'gold': 'B'} and more",
    "{'a': 1}\n{'a': 2}",
    "{'gold': 'B'",
    "password='x'",
    "level=info msg='x'",
    "a='x'\nb='y'",
    "a == b",
    "name",
    "12",
    "<p>text</p>",
    "'it's'",
    "[1] and [2]",
    "(see above)",
    "(n = 120)",
  ])("does not read %j", (text) => expect(shapeOf(text)).toBeUndefined());

  it("passes over what nests deeper than asked, strings and brackets in it included", () => {
    expect(shapeOf("[[1, [']', {'a': (2,)}]]]", 2)).toBe("list(list(scalar deep))");
    expect(shapeOf("[A(x=1), <B 'c>'>, d[1](2)]", 1)).toBe("list(deep deep deep)");
    expect(shapeOf("[[1, [']', {'a': (2,)}]", 2)).toBeUndefined();
  });

  it("stops at so many values", () => {
    expect(readPython("[1, 2, None]", 64, 3)).toBe("too many");
    expect(readPython("[1, 2, None]", 64, 4)).toMatchObject({ isLiteral: true });
  });

  it.each([
    ["(Smith, 2020)", false],
    ["f(x, [1])", false],
    ["('a',)", true],
    ["{1: 2}", true],
    ["A(x=1)", true],
    ["<A>", false],
  ])("tells whether %s holds texts or keys: %s", (text, holdsText) => {
    expect(readPython(text, 64, 100)).toMatchObject({ holdsText });
  });

  it("tells bytes that are a text from bytes that are none", () => {
    const bytesOf = (text: string) => (readPython(text, 64, 100) as { root: PythonNode }).root.bytes;
    expect(bytesOf("b'caf\\xc3\\xa9\\x1b[0m'")).toBeUndefined();
    expect(bytesOf("b'\\xff\\xfe'")).toEqual(Uint8Array.of(255, 254));
    expect(bytesOf("b'a\\x00'")).toEqual(Uint8Array.of(97, 0));
  });
});
