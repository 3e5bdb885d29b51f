// The HTML report in a real browser: npm run test:browser
//   --only NAME   one of the parts below
// Reports, pictures and PDFs stay in test/browser/out. Without Chromium it says SKIPPED and ends with 0.
import { mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { findChromium } from "./find-chromium.ts";
import { pubmedqa, quickstart, whoAndWhen } from "./parts/data-sets.ts";
import { edges } from "./parts/edges.ts";
import { hostile } from "./parts/hostile.ts";
import { heavyStates, manyRuns, oneLongRun, sevenChannels } from "./parts/large.ts";
import { study } from "./parts/study.ts";
import type { Desk } from "./subject.ts";
import { createTally } from "./tally.ts";

const parts: Readonly<Record<string, (desk: Desk) => Promise<void>>> = {
  quickstart,
  study,
  hostile,
  edges,
  "many-runs": manyRuns,
  "heavy-states": heavyStates,
  "seven-channels": sevenChannels,
  "long-run": oneLongRun,
  pubmedqa,
  "who-and-when": whoAndWhen,
};

const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
const chosen = only === undefined ? Object.values(parts) : [parts[only]];
const executablePath = findChromium();
if (chosen[0] === undefined) {
  console.error(`There is no part ${only}; there are ${Object.keys(parts).join(", ")}.`);
  process.exitCode = 1;
} else if (executablePath === undefined) {
  console.warn("SKIPPED test:browser: there is no Chromium here; apt-get install chromium, or set CHROMIUM");
} else {
  const out = fileURLToPath(new URL("out", import.meta.url));
  if (only === undefined) rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const tally = createTally();
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    for (const part of chosen) await part!({ browser, tally, out });
  } finally {
    await browser.close();
  }
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
  if (tally.failed > 0) process.exitCode = 1;
}
