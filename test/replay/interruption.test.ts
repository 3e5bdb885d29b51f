import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asvDone, asvStart, folder } from "./asv.ts";

const TRAJECTORIES = 500;
const STEPS = 10;

/** Runs with different texts in every state, enough that a scoring run can be caught halfway. */
function writeRuns(at: string): void {
  const text = (seed: number) =>
    Array.from({ length: 300 }, (_, i) => `word${(seed * 31 + i * 17) % 5000}`).join(" ");
  const lines = Array.from({ length: TRAJECTORIES }, (_, t) => {
    const state = (i: number) => ({ blocks: [{ kind: "evidence", text: text(t * 100 + i) }] });
    return JSON.stringify({
      schema_version: "asv.v1",
      trajectory_id: `t${t}`,
      task: {
        question: `Question ${t}`,
        candidate_space: {
          candidates: [
            { id: "c1", text: `word${t} word${t + 1}` },
            { id: "c2", text: `word${t + 2} word${t + 3}` },
          ],
          gold_candidate_id: "c1",
        },
      },
      steps: Array.from({ length: STEPS }, (_, i) => ({
        step_id: `s${i}`,
        action: { type: "read" },
        state_before: state(i),
        state_after: state(i + 1),
      })),
    });
  });
  writeFileSync(join(at, "runs.jsonl"), `${lines.join("\n")}\n`);
}

function cachedReplies(at: string): number {
  const cache = join(at, "cache");
  if (!existsSync(cache)) return 0;
  return readdirSync(cache)
    .map((name) => readFileSync(join(cache, name), "utf8"))
    .reduce((count, text) => count + text.split("\n").length - 1, 0);
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 2000 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(condition()).toBe(true);
}

const score = ["score", "runs.jsonl", "--allow-unreviewed", "--cache", "cache", "--out", "scores.jsonl"];
const total = TRAJECTORIES * (STEPS + 1);

describe("a scoring run that is stopped", () => {
  it.each(["SIGKILL", "SIGINT", "SIGTERM"] as const)("by %s goes on without asking again", async (signal) => {
    const at = folder();
    writeRuns(at);
    const child = asvStart(at, ...score);
    let said = "";
    child.stderr!.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const ended = once(child, "exit");
    await until(() => cachedReplies(at) > 100);
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    const kept = cachedReplies(at);
    expect(kept).toBeLessThan(total);
    if (signal !== "SIGKILL") {
      expect(code).toBe(130);
      expect(said).toMatch(/resume with: npx asv score runs\.jsonl/);
      expect(statSync(join(at, "scores.jsonl")).size).toBeGreaterThan(0);
    } else {
      expect(existsSync(join(at, "scores.jsonl"))).toBe(false);
    }
    const rest = JSON.parse(asvDone(at, ...score, "--json").stdout);
    expect(rest.scored).toBe(total);
    // A torn last reply in one of the cache's files may be asked again; nothing that was kept is.
    expect(rest.calls).toBe(total - kept);
    const resumed = readFileSync(join(at, "scores.jsonl"));

    const fresh = folder();
    writeRuns(fresh);
    asvDone(fresh, ...score);
    expect(readFileSync(join(fresh, "scores.jsonl")).equals(resumed)).toBe(true);
  });
});
