import { writeFileSync } from "node:fs";
import { encodeScoreFileRecord, encodeTrajectory } from "@agent-step-value/sdk";
import { syntheticStudy } from "@agent-step-value/sdk/testing";
import { describe, expect, it } from "vitest";
import { workplace } from "./in-process.test-support.ts";

const HOSTILE = "direct\u001B]0;owned\u0007\u202E\u009B31m\u2066";
/** What a terminal acts upon; line ends are ours. */
const ACTED_UPON = /[^\P{Cc}\n]|[\p{Cf}\u2028\u2029]/u;

/** Score files of two protocols that bear a hostile name. */
function place() {
  const { trajectories, channels } = syntheticStudy({ trajectories: 2 });
  const here = workplace();
  const lines = (records: readonly unknown[]) =>
    records.map((record) => `${JSON.stringify(record)}\n`).join("");
  writeFileSync(here.at("runs.jsonl"), lines(trajectories.map((one) => encodeTrajectory(one))));
  channels.slice(0, 2).forEach(({ records }, i) => {
    const named = records.map((record) =>
      record.record === "protocol" ? { ...record, name: HOSTILE } : record,
    );
    writeFileSync(here.at(`${i}.jsonl`), lines(named.map((record) => encodeScoreFileRecord(record))));
  });
  return here;
}

describe("names from files and from the command line", () => {
  it.each([
    ["report, without saying which", ["report", "./runs.jsonl", "./0.jsonl", "./1.jsonl"], 1],
    [
      "report of one that is there twice",
      ["report", "./runs.jsonl", "./0.jsonl", "./1.jsonl", "--protocol", HOSTILE],
      1,
    ],
    ["report of one", ["report", "./runs.jsonl", "./0.jsonl"], 0],
    ["report of a file", ["report", HOSTILE], 2],
    ["compare", ["compare", "./runs.jsonl", "./0.jsonl", "./1.jsonl"], 0],
    ["compare with one", ["compare", "./runs.jsonl", "./0.jsonl", "./1.jsonl", "--baseline", HOSTILE], 1],
    ["an option", ["report", "./runs.jsonl", `--${HOSTILE}`], 1],
    ["a command", [HOSTILE], 1],
  ])("reach a terminal without what it would act upon: %s", async (_, words, status) => {
    const ended = await place().asv(...words);
    expect(ended.status).toBe(status);
    expect(`${ended.stdout}${ended.stderr}`).toContain("owned");
    expect(ACTED_UPON.exec(ended.stdout + ended.stderr)?.[0]).toBeUndefined();
  });
});
