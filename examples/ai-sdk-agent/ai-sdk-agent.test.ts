import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkFrozen, stateSha256, type Trajectory } from "@agent-step-value/sdk";
import { readTrajectories } from "@agent-step-value/sdk/jsonl";
import { generateText, type LanguageModel } from "ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chooseModel } from "./choose-model.ts";
import { measureRuns } from "./measure-runs.ts";
import { candidatesWithTarget, questions } from "./questions.ts";

const folder = mkdtempSync(join(tmpdir(), "asv-ai-sdk-agent-"));
const file = join(folder, "runs.asv.jsonl");
const runs: Trajectory[] = [];
let printed = "";

beforeAll(async () => {
  const script = fileURLToPath(new URL("run.ts", import.meta.url));
  const env = { ...process.env, OPENAI_API_KEY: "", DEEPSEEK_API_KEY: "" };
  const args = ["--conditions=@agent-step-value/source", script, file];
  printed = execFileSync(process.execPath, args, { encoding: "utf8", env });
  for await (const trajectory of readTrajectories([file])) runs.push(trajectory);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the agent's runs", () => {
  it("are all there, complete, each a chain", () => {
    expect(runs.map((run) => [run.task.taskId, run.status])).toEqual(
      questions.map(({ id }) => [id, "complete"]),
    );
    expect(runs.map((run) => run.steps.length)).toEqual(questions.map(({ turns }) => turns.length));
    expect(printed).toContain("22 steps written");
    for (const { steps } of runs) {
      expect(steps.at(-1)!.action["type"]).toBe("model");
      steps.slice(1).forEach((step, i) => {
        expect(stateSha256(step.stateBefore!)).toBe(stateSha256(steps[i]!.stateAfter!));
      });
    }
  });

  it("use the tools for real, two at once, and go on after one that throws", () => {
    const of = (id: string) => runs.find((run) => run.task.taskId === id)!.steps;
    expect(of("wheel-wood")[1]!.stateAfter).toMatchObject({
      blocks: [
        {},
        {},
        {},
        {},
        {},
        {},
        { kind: "evidence", name: "read_note", text: expect.stringContaining("larch") },
      ],
    });
    expect(of("barley-tide")[2]!.action).toMatchObject({ type: "tool:read_note", parallel: 2 });
    expect(of("days-lost")[1]!.observation).toEqual({ failed_tools: ["read_note"] });
    const { blocks } = of("days-lost")[1]!.stateAfter as { blocks: { kind: string; text: string }[] };
    expect(blocks.at(-1)).toMatchObject({ kind: "other", text: expect.stringContaining("There is no note") });
  });

  it("carry frozen candidates, and never the target", () => {
    expect(readFileSync(file, "utf8")).not.toContain("gold_candidate_id");
    for (const { task } of runs) {
      expect(task.candidateSpace.candidates.length).toBe(4);
      expect(task.candidateSpace.goldCandidateId).toBeUndefined();
      expect(checkFrozen(task.candidateSpace, task.question)).toEqual({ frozen: true });
    }
    expect(
      new Set(questions.map((question) => candidatesWithTarget(question).goldCandidateId)).size,
    ).toBeGreaterThan(2);
  });
});

describe("measured with lexical-v1", () => {
  it("every step has a value, and what is read counts for more than what is searched", async () => {
    const { runs: measured, summary } = await measureRuns(file);
    const steps = measured.flatMap((run) => run.steps);
    expect(steps.length).toBe(22);
    for (const { diagnostics } of steps) expect(Number.isFinite(diagnostics?.marginGain)).toBe(true);
    const mean = (action: string) => summary.stepTypes.find((type) => type.action === action)!.mean!;
    expect(mean("tool:read_note")).toBeGreaterThan(mean("tool:search_notes"));
    // The run that believes the inn is hurt by reading it.
    const believed = measured.find(({ question }) => question === "wheel-foundry")!.steps[1]!;
    expect(believed.diagnostics!.marginGain!).toBeLessThan(-1);
  });

  it("is what the example prints", () => {
    for (const { id } of questions) expect(printed).toContain(`\n${id}\n`);
    expect(printed).toMatch(/tool:read_note +\d+\.\d{3} {2}9 steps/);
  });
});

describe("the model", () => {
  const modelId = (model: LanguageModel) => (typeof model === "string" ? model : model.modelId);

  it("is the scripted one without a key, and the service's with one", () => {
    expect(modelId(chooseModel({}))).toBe("scripted");
    expect(modelId(chooseModel({ OPENAI_API_KEY: "k" }))).toBe("gpt-4.1-mini");
    expect(modelId(chooseModel({ DEEPSEEK_API_KEY: "k" }))).toBe("deepseek-chat");
    expect(modelId(chooseModel({ OPENAI_API_KEY: "k", ASV_EXAMPLE_MODEL: "mine" }))).toBe("mine");
  });

  it("asks an OpenAI-compatible endpoint", async () => {
    const asked: string[] = [];
    const message = { role: "assistant", content: "Larch." };
    const reply = {
      id: "1",
      created: 0,
      model: "m",
      choices: [{ index: 0, message, finish_reason: "stop" }],
    };
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.setHeader("content-type", "application/json").end(JSON.stringify(reply));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const model = chooseModel({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` });
      expect((await generateText({ model, prompt: "What is the wheel made of?" })).text).toBe("Larch.");
      expect(asked).toEqual(["POST /v1/chat/completions Bearer k"]);
    } finally {
      server.close();
    }
  });
});

it("stands in the README as it is run", () => {
  const code = readFileSync(new URL("capture-runs.ts", import.meta.url), "utf8");
  const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");
  const [, shown = ""] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  const lines = shown.trim().split("\n");
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) expect(code).toContain(line.trim());
});
