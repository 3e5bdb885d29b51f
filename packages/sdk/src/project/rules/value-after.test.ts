import { expect, test } from "vitest";
import { findSecrets } from "../find-secrets.ts";
import { ruleEngine } from "../rule-engine.ts";
import { assignments } from "./assignments.ts";
import { nameBefore } from "./name-before.ts";
import { valueAfter, wholeValueEnd } from "./value-after.ts";

function read(text: string) {
  const at = text.search(/[:=]/);
  const name = nameBefore(text, at);
  const value = name && valueAfter(text, at, name);
  return value && { ...value, whole: text.slice(value.start, wholeValueEnd(text, value)) };
}

test("a value is judged by its first 64 characters and taken out whole", () => {
  const key = "aB3dE5gH7j".repeat(40);
  const value = read(`token=${key}). Next`);
  expect(value?.text).toBe(key.slice(0, 64));
  expect(value?.whole).toBe(key);
  const [found] = findSecrets(`token=${key}). Next`, ruleEngine(assignments));
  expect(found).toMatchObject({ start: 6, end: 6 + key.length });
});

test("a quoted value ends at its quote however long it is", () => {
  const key = "aB3dE5gH7j ".repeat(40);
  expect(read(`password="${key}" x`)?.whole).toBe(key);
});

test("a cookie goes on over its blanks", () => {
  const cookie = `a=1; b=${"x".repeat(200)}; c=3`;
  expect(read(`cookie: ${cookie}\nnext`)?.whole).toBe(cookie);
});

test("a value of exactly 64 characters is read to its end", () => {
  const key = "aB3dE5gH".repeat(8);
  expect(read(`token=${key}`)?.whole).toBe(key);
  expect(read(`token=${key}, x`)?.whole).toBe(key);
  expect(read(`token=${key.slice(1)}!!`)?.whole).toBe(key.slice(1));
});

test("the look at a rejected value is short, whatever follows", () => {
  // 4 characters a sign: what one look reads must not grow with what follows it.
  const text = "sig=".repeat(50_000);
  expect(read(text)?.text).toHaveLength(64);
  expect(findSecrets(text, ruleEngine(assignments))).toEqual([]);
});
