import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as adapter from "./index.ts";
import { majors, stopAfter } from "./majors.test-support.ts";
import { hostOf, searching, searchTools } from "./scenarios.test-support.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const blocks = [...readme.matchAll(/^```ts\n([\s\S]+?)^```$/gm)].map((match) => match[1] ?? "");

/** The code of a block, with its imports taken from the modules under test and its file in `folder`. */
function runnable(code: string, folder: string): string {
  return code
    .replaceAll(/^import (?:\* as )?(\{[^}]+\}|\w+) from ("[^"]+");$/gm, "const $1 = modules[$2];")
    .replace('"runs.asv.jsonl"', JSON.stringify(join(folder, "runs.asv.jsonl")));
}

/** Runs the code of a block with the values that it takes for granted. */
async function run(code: string, folder: string, given: Record<string, unknown>): Promise<void> {
  const body = `return (async () => { ${runnable(code, folder)} })();`;
  // oxlint-disable-next-line typescript/no-implied-eval -- the code of our own README
  const made = new Function(...Object.keys(given), body) as (...args: unknown[]) => Promise<void>;
  return made(...Object.values(given));
}

function recordsIn(folder: string): Record<string, any>[] {
  const text = readFileSync(join(folder, "runs.asv.jsonl"), "utf8");
  const records: Record<string, any>[] = [];
  for (const line of text.trim().split("\n")) records.push(JSON.parse(line));
  return records;
}

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asv-readme-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe.each(majors)("AI SDK $major", (major) => {
  it("the first code block captures a call in six lines, and works as it stands", async () => {
    const code = blocks[0] ?? "";
    expect(code.trim().split("\n").length).toBeLessThanOrEqual(6);
    await run(code, folder, {
      modules: { ai: major.ai, "@agent-step-value/adapter-ai-sdk": adapter },
      model: hostOf(major, major.ai).model(searching),
      tools: searchTools(major.ai),
      stopWhen: stopAfter(major, 5),
    });
    const steps = recordsIn(folder).filter((record) => record["record"] === "step");
    expect(steps.map((step) => step["action"].type)).toEqual(["tool:search", "tool:lookup", "model"]);
  });
});

it("names every fidelity, export and status that exists", () => {
  const words = ["step-result", "next-input", "run-output", "aborted", "abandoned", "unknown", "interrupted"];
  for (const word of words) expect(readme).toContain(`\`${word}\``);
  for (const name of Object.keys(adapter)) expect(readme).toContain(name);
});

it("the block for code that cannot be wrapped captures it", async () => {
  const [, , major] = majors;
  if (major === undefined) throw new Error("no AI SDK 7");
  let registered: unknown;
  const ai = { ...major.ai, registerTelemetry: (telemetry: unknown) => (registered = telemetry) };
  await run(blocks[1] ?? "", folder, { modules: { ai, "@agent-step-value/adapter-ai-sdk": adapter } });
  await major.ai["generateText"]({
    model: hostOf(major, major.ai).model(searching),
    tools: searchTools(major.ai),
    stopWhen: stopAfter(major, 5),
    prompt: "Which harbour has the green lamp?",
    telemetry: { integrations: [registered] },
  });
  const steps = recordsIn(folder).filter((record) => record["record"] === "step");
  expect(steps).toHaveLength(3);
});
