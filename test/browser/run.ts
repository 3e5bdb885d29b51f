// The HTML report in a real browser: npm run test:browser
//   --only NAME   one of quickstart, study, hostile, edges, large, heavy, pubmedqa, who-and-when
// Reports, pictures and PDFs stay in test/browser/out. Without Chromium it says SKIPPED and ends with 0.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createRandom, defineProtocol, encodeSummary, protocols } from "@agent-step-value/sdk";
import { syntheticStudy } from "@agent-step-value/sdk/testing";
import { chromium, type Browser } from "playwright-core";
import { sharedFile } from "../../packages/sdk/src/testing/shared-data.ts";
import { cliReport } from "./cli-report.ts";
import { degenerateRuns } from "./degenerate-runs.ts";
import { expectedNumbers } from "./expected-numbers.ts";
import { findChromium } from "./find-chromium.ts";
import { hostileRuns } from "./hostile-runs.ts";
import { drawnText, heavyRuns, longRun } from "./large-runs.ts";
import { writeMeasuredReport } from "./measured-report.ts";
import { checkNumbers } from "./number-checks.ts";
import {
  checkAxe,
  checkKeyboard,
  checkPage,
  checkPrint,
  checkWorstLink,
  takePictures,
} from "./page-checks.ts";
import { ask } from "./page-facts.ts";
import { scriptedChannel } from "./scripted-channel.ts";
import { createTally } from "./tally.ts";
import { openWatched } from "./watched-page.ts";

const { values: flags } = parseArgs({ options: { only: { type: "string" } } });
const root = fileURLToPath(new URL("../../", import.meta.url));
const out = fileURLToPath(new URL("out", import.meta.url));
const tally = createTally();

/** The whole job on stored data by the command line, and everything that must hold of its report. */
async function checkDataSet(
  browser: Browser,
  name: string,
  importing: string[],
  reporting: string[] = [],
): Promise<void> {
  const { html, summary, steps } = cliReport(join(out, name), name, importing, reporting);
  await checkPage(browser, html, name, tally);
  await checkNumbers(browser, html, name, expectedNumbers(summary, steps), tally);
  await checkWorstLink(browser, html, name, tally);
  await takePictures(browser, html, name, tally);
}

const parts: Readonly<Record<string, (browser: Browser) => Promise<void>>> = {
  quickstart: async (browser) => {
    const data = join(root, "examples/quickstart/data/evidence-questions.asv.jsonl");
    await checkDataSet(
      browser,
      "quickstart",
      ["asv-v1", data],
      ["--labels", "loses-evidence,corrupts-evidence"],
    );
    const html = join(out, "quickstart/quickstart.html");
    await checkAxe(browser, html, "quickstart", tally);
    await checkKeyboard(browser, html, "quickstart", tally);
    await checkPrint(browser, html, "quickstart", tally);
  },
  study: async (browser) => {
    const { trajectories, channels } = syntheticStudy({ balanced: true });
    const [direct, rationale, balanced] = channels;
    const file = join(out, "study.html");
    const report = await writeMeasuredReport(file, trajectories, [rationale!, direct!, balanced!], {
      audit: true,
    });
    await checkPage(browser, file, "study", tally);
    await checkNumbers(
      browser,
      file,
      "study",
      expectedNumbers(encodeSummary(report.summary), report.steps),
      tally,
    );
    const { page, close } = await openWatched(browser, file);
    const callout = await ask<number>(page, "callout");
    tally.check(
      "study: entropy misses pivots, said on the first screen",
      callout > 0 && callout < 800,
      `at ${callout} px`,
    );
    const [tiles] = await ask<Record<string, number[]>[]>(page, "comparisonTiles");
    const { signed, absolute, signDisagreement } = report.comparisons[0]!.all;
    tally.check(
      "study: signed channel effect as measured",
      tiles?.["Mean signed effect"]?.[0] === signed.mean,
    );
    tally.check(
      "study: absolute channel effect as measured",
      tiles?.["Mean absolute effect"]?.[0] === absolute.mean,
    );
    tally.check(
      "study: sign disagreement as measured",
      tiles?.["Sign disagreement"]?.[0] === signDisagreement.rate.mean,
    );
    await close();
    await checkAxe(browser, file, "study", tally);
    await checkWorstLink(browser, file, "study", tally);
    await checkPrint(browser, file, "study", tally);
    await takePictures(browser, file, "study", tally);
  },
  hostile: async (browser) => {
    const { trajectories, channel } = hostileRuns();
    const file = join(out, "hostile.html");
    const report = await writeMeasuredReport(file, trajectories, [channel]);
    await checkPage(browser, file, "hostile", tally);
    await checkNumbers(
      browser,
      file,
      "hostile",
      expectedNumbers(encodeSummary(report.summary), report.steps),
      tally,
    );
    const { page, close } = await openWatched(browser, file, { hash: "#run-0-step-7" });
    const text = await ask<string>(page, "text");
    tally.check("hostile: a script tag is text", text.includes('<script id="pwned">'));
    tally.check("hostile: an override is named", text.includes("U+202E"));
    tally.check("hostile: a NUL is named", text.includes("U+0000"));
    await close();
    await checkAxe(browser, file, "hostile", tally);
    await takePictures(browser, file, "hostile", tally);
  },
  edges: async (browser) => {
    for (const { name, trajectories, channels, says } of degenerateRuns()) {
      const file = join(out, `${name.replaceAll(" ", "-")}.html`);
      const report = await writeMeasuredReport(file, trajectories, channels, {
        audit: channels.length > 1 && name !== "same channel",
      });
      await checkPage(browser, file, name, tally);
      await checkNumbers(
        browser,
        file,
        name,
        expectedNumbers(encodeSummary(report.summary), report.steps),
        tally,
      );
      const { page, close } = await openWatched(browser, file);
      const text = await ask<string>(page, "text");
      for (const words of says) tally.check(`${name}: says “${words}”`, text.includes(words));
      tally.check(`${name}: no NaN, Infinity or undefined`, !/\b(NaN|Infinity|undefined|null)\b/.test(text));
      await close();
    }
  },
  large: async (browser) => {
    const { trajectories, channels } = syntheticStudy({ trajectories: 4600 });
    const file = join(out, "large.html");
    const report = await writeMeasuredReport(file, trajectories, [channels[0]!], { resamples: 200 });
    await checkPage(browser, file, "50,600 steps", tally);
    const { page, close } = await openWatched(browser, file);
    const notes = await ask<number>(page, "sampleNotes");
    tally.check("50,600 steps: says that runs are a sample", notes === 2);
    const tiles = await ask<Record<string, number[]>>(page, "tiles");
    const mean = tiles["Mean margin gain"]?.[0];
    tally.check("50,600 steps: the summary is about all of them", mean === report.summary.marginGain.mean);
    const [rows, cards] = [await ask<number>(page, "stepRows"), await ask<number>(page, "stepCards")];
    tally.check("50,600 steps: one row a shown step", rows === cards && rows > 1000, `${rows} rows`);
    await close();
    await checkWorstLink(browser, file, "50,600 steps", tally);
  },
  heavy: async (browser) => {
    const evaluator = { kind: "scripted", model: "heavy", temperature: 0, thinking: false, topLogprobs: 20 };
    const random = createRandom(5);
    const texts = Array.from({ length: 40 }, () => drawnText(random, 2500));
    const score = (state: number, candidate: number) => -((state * 7 + candidate * 5) % 13) / 3;
    const runs = heavyRuns(100, 11);
    const channels = (["rationale512", "direct", "extractive"] as const).map((name) =>
      scriptedChannel(defineProtocol({ ...protocols[name], evaluator }), runs, {
        score: (state, candidate) => score(state + name.length, candidate),
        ...(name === "rationale512" && { rationale: (state: number) => texts[state % texts.length]! }),
      }),
    );
    const file = join(out, "heavy.html");
    await writeMeasuredReport(file, runs, channels, { resamples: 200, audit: true });
    await checkPage(browser, file, "1,100 steps of 30 KB states", tally);

    const long = [longRun(10_000)];
    const longFile = join(out, "long.html");
    const direct = scriptedChannel(defineProtocol({ ...protocols.direct, evaluator }), long, { score });
    await writeMeasuredReport(longFile, long, [direct], { resamples: 200 });
    await checkPage(browser, longFile, "10,000 steps in one run", tally);
    const { page, close } = await openWatched(browser, longFile);
    const [cards, notes] = [await ask<number>(page, "stepCards"), await ask<number>(page, "sampleNotes")];
    tally.check(
      "10,000 steps in one run: some are shown, and it says so",
      cards === 200 && notes === 2,
      `${cards}`,
    );
    await close();
    await checkWorstLink(browser, longFile, "10,000 steps in one run", tally);
  },
  pubmedqa: async (browser) => {
    const data = sharedFile("data/pubmedqa/pqal-100.jsonl");
    if (data !== undefined) await checkDataSet(browser, "pubmedqa", ["pubmedqa", data]);
  },
  "who-and-when": async (browser) => {
    const logs = sharedFile("data/who-and-when/algorithm-generated-96.jsonl");
    const answers = sharedFile("data/who-and-when/run-answers.jsonl");
    if (logs === undefined || answers === undefined) return;
    await checkDataSet(browser, "who-and-when", ["who-and-when", logs, "--answers", answers]);
    await checkAxe(browser, join(out, "who-and-when/who-and-when.html"), "who-and-when", tally);
  },
};

const executablePath = findChromium();
if (executablePath === undefined) {
  console.warn("SKIPPED test:browser: there is no Chromium here; apt-get install chromium, or set CHROMIUM");
} else {
  const chosen = flags.only === undefined ? Object.keys(parts) : [flags.only];
  if (flags.only === undefined) rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    for (const name of chosen) await parts[name]!(browser);
  } finally {
    await browser.close();
  }
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
  if (tally.failed > 0) process.exitCode = 1;
}
