import { join } from "node:path";
import { createRandom, defineProtocol, protocols } from "@agent-step-value/sdk";
import { syntheticStudy } from "@agent-step-value/sdk/testing";
import { drawnText, heavyRuns, longRun } from "../large-runs.ts";
import { writeMeasuredReport } from "../measured-report.ts";
import { checkPage, checkWorstLink } from "../page-checks.ts";
import { ask } from "../page-facts.ts";
import { scriptedChannel } from "../scripted-channel.ts";
import type { Desk } from "../subject.ts";
import { openWatched } from "../watched-page.ts";

const evaluator = { kind: "scripted", model: "large", temperature: 0, thinking: false, topLogprobs: 20 };
const score = (state: number, candidate: number): number => -((state * 7 + candidate * 5) % 13) / 3;

/** More runs than are shown. */
export async function manyRuns({ browser, tally, out }: Desk): Promise<void> {
  const { trajectories, channels } = syntheticStudy({ trajectories: 4600 });
  const subject = { browser, tally, file: join(out, "many-runs.html"), name: "50,600 steps" };
  const report = await writeMeasuredReport(subject.file, trajectories, [channels[0]!], { resamples: 200 });
  await checkPage(subject);
  const { page, close } = await openWatched(browser, subject.file);
  tally.check("50,600 steps: says that runs are a sample", (await ask<number>(page, "sampleNotes")) === 2);
  const tiles = await ask<Record<string, number[]>>(page, "tiles");
  const isWhole = tiles["Mean margin gain"]?.[0] === report.summary.marginGain.mean;
  tally.check("50,600 steps: the summary is about all of them", isWhole);
  const [rows, cards] = [await ask<number>(page, "stepRows"), await ask<number>(page, "stepCards")];
  tally.check("50,600 steps: one row a shown step", rows === cards && rows > 1000, `${rows} rows`);
  await close();
  await checkWorstLink(subject);
}

/** As much text as a report can meet: long states that change everywhere, long rationales, three channels. */
export async function heavyStates({ browser, tally, out }: Desk): Promise<void> {
  const random = createRandom(5);
  const texts = Array.from({ length: 40 }, () => drawnText(random, 2500));
  const runs = heavyRuns(100, 11);
  const channels = (["rationale512", "direct", "extractive"] as const).map((name) =>
    scriptedChannel(defineProtocol({ ...protocols[name], evaluator }), runs, {
      score: (state, candidate) => score(state + name.length, candidate),
      ...(name === "rationale512" && { rationale: (state: number) => texts[state % texts.length]! }),
    }),
  );
  const subject = {
    browser,
    tally,
    file: join(out, "heavy-states.html"),
    name: "1,100 steps of 30 KB states",
  };
  await writeMeasuredReport(subject.file, runs, channels, { resamples: 200, audit: true });
  await checkPage(subject);
}

/** One run that is longer than is shown of it. */
export async function oneLongRun({ browser, tally, out }: Desk): Promise<void> {
  const long = [longRun(10_000)];
  const subject = { browser, tally, file: join(out, "long-run.html"), name: "10,000 steps in one run" };
  const direct = scriptedChannel(defineProtocol({ ...protocols.direct, evaluator }), long, { score });
  await writeMeasuredReport(subject.file, long, [direct], { resamples: 200 });
  await checkPage(subject);
  const { page, close } = await openWatched(browser, subject.file);
  const [cards, notes] = [await ask<number>(page, "stepCards"), await ask<number>(page, "sampleNotes")];
  tally.check(`${subject.name}: some are shown, and it says so`, cards === 200 && notes === 2, `${cards}`);
  await close();
  await checkWorstLink(subject);
}
