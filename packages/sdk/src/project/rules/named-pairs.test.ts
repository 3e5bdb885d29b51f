import { describe, expect, test } from "vitest";
import { findSecrets } from "../find-secrets.ts";
import { ruleEngine } from "../rule-engine.ts";
import { namedPairs } from "./named-pairs.ts";

function found(text: string): string[] {
  return findSecrets(text, ruleEngine(namedPairs)).map(({ start, end }) => text.slice(start, end));
}

describe("secrets away from their name", () => {
  test.each([
    ["env:\n  - name: API_KEY\n    value: X\n", "X"],
    ['- name: "DB_PASSWORD"\n  value: "swordfish"', "swordfish"],
    ['{"key": "GITHUB_TOKEN", "value": "abcd1234"', "abcd1234"],
    ["Authorization%3A%20Bearer%20abc.def-123", "abc.def-123"],
    ["%22password%22%3A%22hunter2%22", "hunter2"],
    ["next=https%3A%2F%2Fx%3Faccess_token%3Dabcdef12%26y", "abcdef12"],
    ["password\\u003dhunter2\\u0026x", "hunter2"],
  ])("%s", (text, secret) => expect(found(text)).toEqual([secret]));
  test.each([
    "- name: LOG_LEVEL\n  value: debug",
    "- name: API_KEY\n  valueFrom: x",
    "- name: API_KEY\n  value: $KEY",
    "- name: API_KEY\n- name: B\n  value: x1",
    "value: 3",
    "https%3A%2F%2Fexample.org%2Fa%3Fq%3Dinsulin",
    "token%3Dinsulin",
    "time%3A%2012",
  ])("leaves %s", (text) => expect(found(text)).toEqual([]));
});
