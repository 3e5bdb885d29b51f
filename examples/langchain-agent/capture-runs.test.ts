import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stateSha256, type Trajectory } from "@agent-step-value/sdk";
import { readTrajectories } from "@agent-step-value/sdk/jsonl";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chooseModel } from "./choose-model.ts";
import { questions } from "./questions.ts";
import { ScriptedModel } from "./scripted-model.ts";

const folder = mkdtempSync(join(tmpdir(), "asv-agent-"));
const runs: Trajectory[] = [];
let printed = "";

beforeAll(async () => {
  const script = fileURLToPath(new URL("run.ts", import.meta.url));
  const env = { ...process.env, OPENAI_API_KEY: "", DEEPSEEK_API_KEY: "" };
  const file = join(folder, "runs.asv.jsonl");
  printed = execFileSync(process.execPath, ["--conditions=@agent-step-value/source", script, file], {
    encoding: "utf8",
    env,
  });
  for await (const trajectory of readTrajectories([file])) runs.push(trajectory);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the agent's runs", () => {
  it("are all there, complete, each a chain of model calls and tool calls", () => {
    expect(runs.map((run) => [run.task.taskId, run.status])).toEqual(
      questions.map(({ id }) => [id, "complete"]),
    );
    expect(printed).toContain(`${runs.reduce((sum, run) => sum + run.steps.length, 0)} steps written`);
    for (const { steps } of runs) {
      expect(steps.length % 2).toBe(1);
      steps.forEach((step, i) => {
        expect(step.action["type"]).toMatch(i % 2 === 0 ? /^model$/ : /^tool:(read_note|search_notes)$/);
        if (i > 0) expect(stateSha256(step.stateBefore!)).toBe(stateSha256(steps[i - 1]!.stateAfter!));
      });
    }
  });

  it("use the tools for real", () => {
    const last = runs[0]?.steps.at(-1)?.stateAfter as {
      blocks: { kind: string; name: string; text: string }[];
    };
    const evidence = last.blocks.filter((block) => block.kind === "evidence");
    expect(evidence.map((block) => block.name)).toEqual(["search_notes", "read_note"]);
    expect(evidence[0]?.text).toContain("lamp-colours: Lights of the Vessen islands");
    expect(evidence[1]?.text).toContain("Skarn shows a green light");
    expect(last.blocks.at(-1)).toEqual({
      kind: "answer",
      name: "assistant",
      text: "Skarn shows a green light.",
    });
  });

  it("read two notes at once in one step", () => {
    const step = runs.find((run) => run.task.taskId === "well-remedy")?.steps[3];
    expect(step?.action).toMatchObject({ type: "tool:read_note", parallel: 2 });
    expect(step?.cost["tool_calls"]).toBe(2);
  });

  it("carry the candidates and never the target, which the file beside them has", () => {
    const text = readFileSync(join(folder, "runs.asv.jsonl"), "utf8");
    expect(text).not.toContain("gold_candidate_id");
    for (const { task } of runs) expect(task.candidateSpace.candidates.length).toBe(4);
    const records = readFileSync(join(folder, "runs.candidates.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records.filter((record) => record.record === "gold").length).toBe(questions.length);
  });
});

describe("the model", () => {
  it("is the scripted one without a key", async () => {
    expect(await chooseModel({})).toBeInstanceOf(ScriptedModel);
  });

  it.each(["OPENAI_API_KEY", "DEEPSEEK_API_KEY"])(
    "says what to install when %s is set and the package is missing",
    async (name) => {
      const error = await chooseModel({ [name]: "sk-of-mine" }).catch((caught: unknown) => caught as Error);
      if (!(error instanceof Error)) return expect(error).toHaveProperty("invoke");
      expect(error.message).toContain("npm install --no-save @langchain/openai");
      expect(error.message).not.toContain("sk-of-mine");
    },
  );
});
