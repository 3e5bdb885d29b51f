import { writeFileSync } from "node:fs";
import { encodeScoreFileRecord, type RationaleRecord } from "@agent-step-value/sdk";
import { describe, expect, it } from "vitest";
import { workplace } from "../commands/in-process.test-support.ts";
import type { CollectedRuns } from "./collect/collect-runs.ts";
import { rationaleKey } from "./collect/run-view.ts";
import { readRationales } from "./read-rationales.ts";

const sha = (digit: string) => digit.repeat(64);
const record = (change: Partial<RationaleRecord>): RationaleRecord => ({
  record: "rationale",
  taskId: "t",
  candidateSetSha256: sha("c"),
  stateSha256: sha("1"),
  protocolId: "rho-1",
  text: "because",
  flags: [],
  coverage: 1,
  promptSha256: sha("d"),
  ...change,
});

describe("readRationales", () => {
  it("finds those of the shown states under the report's protocol, without secrets, and no others", async () => {
    const { at } = workplace();
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const records = [
      record({}),
      record({ stateSha256: sha("2"), text: `it says ${secret}` }),
      record({ stateSha256: sha("3"), text: "a state that is not shown" }),
      record({ protocolId: "rho-2", text: "another protocol" }),
      record({ taskId: "u", text: "another task" }),
    ];
    writeFileSync(
      at("scores.jsonl"),
      records.map((line) => `${JSON.stringify(encodeScoreFileRecord(line))}\n`).join(""),
    );
    const shown = [
      {
        taskId: "t",
        candidateSetSha256: sha("c"),
        initialSha256: sha("1"),
        steps: [{ beforeSha256: sha("1"), afterSha256: sha("2") }, {}],
      },
    ];
    const found = await readRationales([at("scores.jsonl")], "rho-1", { shown } as unknown as CollectedRuns);
    expect([...found]).toEqual([
      [rationaleKey("t", sha("c"), sha("1")), "because"],
      [
        rationaleKey("t", sha("c"), sha("2")),
        expect.stringMatching(/^it says \[SECRET:[a-z-]+:1\]$/) as string,
      ],
    ]);
  });
});
