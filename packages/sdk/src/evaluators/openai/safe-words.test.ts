import { describe, expect, it } from "vitest";
import { safeWords } from "./safe-words.ts";

const key = "sk-canary-77aa88bb99cc";

describe("safeWords", () => {
  it("keeps what a person needs", () => {
    expect(safeWords("This model's maximum context length is 8192 tokens.", "{}", [key])).toBe(
      "This model's maximum context length is 8192 tokens.",
    );
  });

  it.each([
    `Incorrect API key provided: ${key}.`,
    "Incorrect API key provided: sk-ca**********9cc.",
    `Authorization: Bearer ${key}`,
    `header "api-key=${key}"`,
    "the key ...88bb99cc is unknown",
    "key canary-77aa",
    "token eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9abcdef",
  ])("removes the key, whole or in part: %s", (text) => {
    const said = safeWords(text, "{}", [key])!;
    for (let i = 0; i + 6 <= key.length; i++) expect(said).not.toContain(key.slice(i, i + 6));
    expect(said).toContain("[removed]");
    expect(said).not.toContain("eyJhbGci");
  });

  it("says nothing that repeats what was sent", () => {
    const sent = JSON.stringify({ messages: [{ content: "the patient is called Ada Lovelace" }] });
    expect(safeWords("bad input: the patient is called Ada Lovelace", sent, [])).toBeUndefined();
  });

  it("is one short line", () => {
    const said = safeWords(`a\nb\u0007\u001b[31mc ${"word ".repeat(500)}`, "", [])!;
    expect(said).toMatch(/^a b \[31mc word /);
    expect(said.length).toBeLessThanOrEqual(161);
    expect([undefined, null, 3, "", " \n"].map((text) => safeWords(text, "", []))).toEqual(
      Array(5).fill(undefined),
    );
  });
});
