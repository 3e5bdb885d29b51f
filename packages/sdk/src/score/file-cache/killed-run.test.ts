import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defineProtocol, protocols } from "../../protocol/index.ts";
import { fixtureTrajectory, scriptedEvaluator } from "../../testing/index.ts";
import { fileCache, planScoring, score } from "../index.ts";

const STEPS = 150;
const CONCURRENCY = 3;

/** A run in a process of its own. It logs each call as it begins and each score record as it is read. */
const program = `
  import { appendFileSync } from "node:fs";
  import { defineProtocol, protocols } from "${new URL("../../protocol/index.ts", import.meta.url).href}";
  import { fixtureTrajectory, scriptedEvaluator } from "${new URL("../../testing/index.ts", import.meta.url).href}";
  import { fileCache, score } from "${new URL("../index.ts", import.meta.url).href}";
  const directory = process.argv[1];
  const evaluator = scriptedEvaluator({
    before: async () => {
      appendFileSync(directory + "/calls", ".");
      await new Promise((resolve) => setTimeout(resolve, 2));
    },
  });
  const protocol = defineProtocol({ ...protocols.direct, evaluator: evaluator.settings });
  const cache = fileCache(directory + "/cache");
  for await (const record of score([fixtureTrajectory({ steps: ${STEPS} })], { protocol, evaluator, cache, concurrency: ${CONCURRENCY} })) {
    if (record.record === "score") appendFileSync(directory + "/records", record.stateSha256 + "\\n");
  }
`;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "asv-killed-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const start = () =>
  spawn(
    process.execPath,
    ["--conditions=@agent-step-value/source", "--input-type=module", "-e", program, directory],
    {
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
const ended = (child: ReturnType<typeof start>) =>
  new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.on("exit", (code, signal) => resolve(signal ?? code)),
  );
const textOf = (name: string) =>
  existsSync(join(directory, name)) ? readFileSync(join(directory, name), "utf8") : "";

async function resume() {
  const evaluator = scriptedEvaluator();
  const protocol = defineProtocol({ ...protocols.direct, evaluator: evaluator.settings });
  const cache = fileCache(join(directory, "cache"));
  const trajectories = [fixtureTrajectory({ steps: STEPS })];
  const plan = await planScoring(trajectories, { protocol, evaluator, cache });
  const records = [];
  for await (const record of score(trajectories, { protocol, evaluator, cache })) records.push(record);
  await cache.close();
  const asked = new Set(evaluator.requests.map(({ place }) => place!.stateSha256));
  return { plan, records, asked };
}

describe("a run that is killed", () => {
  it("goes on where it was: nothing that was recorded is asked again", async () => {
    const child = start();
    const end = ended(child);
    while (textOf("records").length < 65 * 40 && child.exitCode === null)
      await new Promise((next) => setTimeout(next, 5));
    child.kill("SIGKILL");
    expect(await end).toBe("SIGKILL");
    const recorded = textOf("records")
      .split("\n")
      .filter((line) => line.length === 64);
    const calls = textOf("calls").length;
    expect(recorded.length).toBeGreaterThanOrEqual(40);
    expect(calls).toBeLessThan(STEPS + 1);

    const { plan, records, asked } = await resume();
    expect(recorded.filter((state) => asked.has(state))).toEqual([]);
    expect(asked.size).toBe(plan.scoredCalls);
    // Only calls that were under way when the process died are made a second time.
    expect(calls + asked.size - (STEPS + 1)).toBeLessThanOrEqual(CONCURRENCY);
    expect(records.filter(({ record }) => record === "score")).toHaveLength(STEPS + 1);
    expect((await resume()).asked.size).toBe(0);
  });

  it("processes that share a directory do not damage it", async () => {
    const children = [start(), start()];
    expect(await Promise.all(children.map(ended))).toEqual([0, 0]);
    const { plan, asked } = await resume();
    expect([plan.scoredCalls, plan.cacheHits, asked.size]).toEqual([0, STEPS + 1, 0]);
  });
});
