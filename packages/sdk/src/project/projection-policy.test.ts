import { expect, test } from "vitest";
import { AsvError } from "../errors/index.ts";
import { KEY_RULES, resolvePolicy, TEXT_RULES, type ProjectionPolicy } from "./index.ts";

test("defaults", () => {
  expect(resolvePolicy()).toMatchObject({ name: "default", maxChars: 24_000, maxDepth: 64 });
  expect(resolvePolicy({ without: ["jwt"] }).name).toBe("custom");
  expect(resolvePolicy({ personalData: true }).name).toBe("custom");
  expect(resolvePolicy({ name: "mine", maxChars: 10 }).name).toBe("mine");
  expect(Object.isFrozen(resolvePolicy())).toBe(true);
});

test.each<[unknown, RegExp]>([
  [{ maxChars: 0 }, /policy\.maxChars/],
  [{ maxChars: 1.5 }, /policy\.maxChars/],
  [{ maxDepth: 1000 }, /policy\.maxDepth/],
  [{ maxWork: Number.NaN }, /policy\.maxWork/],
  [{ maxValues: "5" }, /policy\.maxValues/],
  [{ without: ["no-such-rule"] }, /policy\.without/],
  [{ personalData: ["name"] }, /policy\.personalData/],
  [{ project: 5 }, /policy\.project/],
  [{ textRules: [{ id: "Bad Id", when: { text: ["x"] }, do: /x/ }] }, /rule id/],
  [{ textRules: [{ id: "x", when: { token: ["x"] }, do: /x/ }] }, /rule literal/],
  [{ textRules: [{ id: "x", when: { text: [""] }, do: /x/ }] }, /rule literal/],
])("refuses %j", (policy, message) => {
  try {
    resolvePolicy(policy as ProjectionPolicy);
    expect.unreachable();
  } catch (error) {
    expect(AsvError.isInstance(error) && error.code).toBe("invalid_argument");
    expect((error as Error).message).toMatch(message);
  }
});

test("every rule has an id that fits a placeholder; text rules have one each", () => {
  for (const { id } of [...KEY_RULES, ...TEXT_RULES]) expect(id).toMatch(/^[a-z0-9-]{1,40}$/);
  expect(new Set(TEXT_RULES.map(({ id }) => id)).size).toBe(TEXT_RULES.length);
});
