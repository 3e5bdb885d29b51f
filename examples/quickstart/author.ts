/**
 * Writes `data/evidence-questions.asv.jsonl` from the readable runs in `runs/`.
 *
 * Run with `npm run author -w @agent-step-value/example-quickstart`. The same sources always give the same bytes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname } from "node:path";
import { encodeLiveRecord } from "@agent-step-value/sdk";
import { liveRecords } from "./live-records.ts";
import { topics } from "./runs/index.ts";

export const DATA_FILE = fileURLToPath(new URL("./data/evidence-questions.asv.jsonl", import.meta.url));

/** The whole data file: one record a line, LF after each. */
export function dataFileText(): string {
  return liveRecords(topics)
    .map((record) => `${JSON.stringify(encodeLiveRecord(record))}\n`)
    .join("");
}

if (import.meta.main) {
  mkdirSync(dirname(DATA_FILE), { recursive: true });
  writeFileSync(DATA_FILE, dataFileText());
}
