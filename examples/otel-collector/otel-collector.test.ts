import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { importOtlp } from "@agent-step-value/adapter-otel";
import { stateSha256, stepType, type Trajectory } from "@agent-step-value/sdk";
import { readTrajectories } from "@agent-step-value/sdk/jsonl";
import { afterAll, describe, expect, it } from "vitest";
import { measureRuns } from "./measure.ts";
import { startOtlpSink } from "./otlp-sink.ts";

const script = fileURLToPath(new URL("run.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "asv-otel-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Runs the agent against a sink that writes down what the exporter sends, and measures that. A sink is no
 * Collector; with one, `npm run test:collector` does the same.
 */
async function runAndMeasure(as: "asv" | "openinference") {
  const at = (name: string) => join(folder, `${as}-${name}`);
  const [traces, file, candidates] = [at("traces.jsonl"), at("live.asv.jsonl"), at("candidates.jsonl")];
  const sink = await startOtlpSink(traces);
  const words = ["--endpoint", sink.endpoint, "--as", as, "--file", file, "--candidates", candidates];
  const child = spawn(process.execPath, ["--conditions=@agent-step-value/source", script, ...words], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [status] = (await once(child, "exit")) as [number | null];
  await sink.close();
  expect(status).toBe(0);
  const measured = measureRuns([traces], candidates, mkdtempSync(at("measured-")));
  return { traces, file, ...measured };
}

async function runsOf(file: string): Promise<Map<string, Trajectory>> {
  const runs = new Map<string, Trajectory>();
  for await (const run of readTrajectories([file])) runs.set(run.trajectoryId, run);
  return runs;
}

const states = ({ steps }: Trajectory) =>
  steps.map(({ stepId, stateBefore, stateAfter }) => [
    stepId,
    stateBefore && stateSha256(stateBefore),
    stateAfter && stateSha256(stateAfter),
  ]);

describe("the LangChain agent over OTLP", () => {
  it("captured by us: the import gives the runs that the capture's own file has, and they are measured", async () => {
    const { file, runs, imported, summary, traces } = await runAndMeasure("asv");
    const [live, read] = [await runsOf(file), await runsOf(runs)];
    expect(live.size).toBe(8);
    for (const [id, run] of live) expect(states(read.get(id)!)).toEqual(states(run));
    expect(imported).toMatchObject({ outcome: "complete", trajectories: 8, steps: 48 });
    expect(summary["counts"]).toMatchObject({ trajectories: 8, steps: 48, measured: 48, with_margin: 48 });
    expect(readFileSync(traces, "utf8")).not.toMatch(/gold|cand-1|none-of-the-above/);
    // The same from a program.
    const fromProgram: Trajectory[] = [];
    for await (const run of importOtlp(traces)) fromProgram.push(run);
    expect(fromProgram.map(states)).toEqual([...read.values()].map(states));
  }, 120_000);

  it("instrumented by OpenInference, without us: rebuilt from its calls, and says so", async () => {
    const { runs, imported, summary } = await runAndMeasure("openinference");
    const read = [...(await runsOf(runs)).values()];
    expect(read.map(({ task }) => task.question)).toContain("What colour is the light of Skarn?");
    const skarn = read.find(({ task }) => task.question === "What colour is the light of Skarn?")!;
    const types = skarn.steps.map(stepType);
    expect(types.filter((type) => type.includes("search_notes") || type.includes("read_note"))).toHaveLength(
      2,
    );
    const last = JSON.stringify(skarn.steps.at(-1)!.stateAfter);
    expect(last).toContain("Skarn shows a green light");
    expect(skarn.metadata).toMatchObject({ state_source: "reconstructed", convention: "openinference" });
    expect(skarn.metadata["fidelity"]).toMatch(/every model call carries its history/);
    expect(imported).toMatchObject({ outcome: "complete", trajectories: 8, foreign: { trajectories: 8 } });
    expect((summary["counts"] as Record<string, number>)["measured"]).toBe(imported["steps"]);
  }, 120_000);
});
