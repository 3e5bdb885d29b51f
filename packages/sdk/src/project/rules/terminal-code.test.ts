import { describe, expect, test } from "vitest";
import { projectState } from "../index.ts";
import { afterTerminalCodes, terminalCodeBefore } from "./terminal-code.ts";

const A36 = "abcdefghijklmnopqrstuvwxyz0123456789";

describe("a token that starts after a code or an escape", () => {
  test.each([
    ["green", `\u001b[32mghp_${A36}\u001b[0m`],
    ["bold red", `\u001b[1;31msk-ant-api03-a1B2${A36}\u001b[0m`],
    ["reset", "\u001b[0mAKIAIOSFODNN7EXAMPLE"],
    ["256 colours", `\u001b[38;5;196mghp_${A36}`],
    ["erase line", `\u001b[Kghp_${A36}`],
    ["one-character introducer", `\u009b32mghp_${A36}`.replace("\u009b", "\u009b[")],
    ["an escape written out", `\\u001b[32mghp_${A36}\\u001b[0m`],
    ["an octal escape", `\\033[32mghp_${A36}`],
    ["a lost escape", `[32mghp_${A36}[0m`],
    ["an equals sign written as an escape", `TOK\\u003dghp_${A36}`],
    ["a hexadecimal escape", `TOK\\x3dghp_${A36}`],
    ["a percent sign", `TOK%3Dghp_${A36}`],
    ["a percent sign in lower case", `TOK%3dghp_${A36}`],
  ])("%s", (_, text) => {
    const json = JSON.stringify(projectState({ out: text }).state);
    expect(json).toContain("[SECRET:");
    expect(json).not.toContain(A36.slice(10, 20));
    expect(json).not.toContain("IOSFODNN7");
  });
  test("the colour stays, so that the text reads as before", () => {
    const { state } = projectState({ out: `\u001b[32mghp_${A36}\u001b[0m` });
    expect(state).toEqual({ out: "\u001b[32m[SECRET:github-token:1]\u001b[0m" });
  });
});

describe("assignments in colour", () => {
  test.each([
    "\u001b[1mpassword\u001b[0m=hunter2",
    "\u001b[32mpassword=hunter2\u001b[0m",
    "password: \u001b[32mhunter2\u001b[0m",
    '\u001b[34;1m"password"\u001b[0m\u001b[1;39m:\u001b[0m \u001b[32m"hunter2"\u001b[0m',
    "password=\\u001b[32mhunter2",
  ])("%j", (out) => {
    const json = JSON.stringify(projectState({ out }).state);
    expect(json).toContain("[SECRET:assignment:1]");
    expect(json).not.toContain("hunter2");
  });
});

test("words glued to a token are no code", () => {
  for (const out of [`xghp_${A36}`, `[xghp_${A36}`, `a[0]mghp_${A36}`]) {
    expect(projectState({ out }).state).toEqual({ out });
  }
});

test("where codes begin and end", () => {
  expect(terminalCodeBefore("ab\u001b[32m", 7)).toBe(2);
  expect(terminalCodeBefore("ab[32m", 6)).toBe(2);
  expect(terminalCodeBefore("ab[m", 4)).toBe(4);
  expect(terminalCodeBefore("item", 4)).toBe(4);
  expect(afterTerminalCodes("\u001b[0m \u001b[32mx", 0)).toBe(10);
  expect(afterTerminalCodes("x", 0)).toBe(0);
  expect(afterTerminalCodes("\\n", 0)).toBe(0);
});
