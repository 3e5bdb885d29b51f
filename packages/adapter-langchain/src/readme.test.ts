import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as langchain from "langchain";
import { expect, it } from "vitest";
import * as adapter from "./index.ts";
import { lookup, search, searchingModel, trajectoriesOf } from "./scripted.test-support.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const modules: Record<string, unknown> = { langchain, "@agent-step-value/adapter-langchain": adapter };

/** The code of a block, with its imports taken from the modules under test and its file in `folder`. */
function runnable(code: string, folder: string): string {
  return code
    .replaceAll(/^import (\{[^}]+\}) from ("[^"]+");$/gm, "const $1 = modules[$2];")
    .replace('"runs.asv.jsonl"', JSON.stringify(join(folder, "runs.asv.jsonl")));
}

it("the first code block wraps an agent in six lines, and works as it stands", async () => {
  const code = /^```ts\n([\s\S]+?)^```$/m.exec(readme)?.[1] ?? "";
  expect(code.trim().split("\n").length).toBeLessThanOrEqual(6);
  const folder = mkdtempSync(join(tmpdir(), "asv-readme-"));
  const body = `return (async () => { ${runnable(code, folder)} })();`;
  // oxlint-disable-next-line typescript/no-implied-eval -- the code of our own README
  const run = new Function("modules", "model", "tools", body) as (...args: unknown[]) => Promise<void>;
  await run(modules, searchingModel(), [search, lookup]);
  const lines = readFileSync(join(folder, "runs.asv.jsonl"), "utf8").trim().split("\n");
  const [trajectory] = trajectoriesOf(lines.map((line) => JSON.parse(line)));
  expect(trajectory?.steps.map((step) => step.type)).toEqual([
    "model",
    "tool:search",
    "model",
    "tool:lookup",
    "model",
  ]);
  expect(trajectory?.closed).toBe("complete");
  rmSync(folder, { recursive: true });
});

it("names every fidelity and every option that exists", () => {
  for (const word of [
    "next-input",
    "branch-input",
    "run-output",
    "values-tap",
    "update-only",
    "aborted",
    "abandoned",
  ]) {
    expect(readme).toContain(`\`${word}\``);
  }
  for (const name of Object.keys(adapter)) expect(readme).toContain(name);
});
