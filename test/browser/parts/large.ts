import { join } from "node:path";
import { createRandom, defineProtocol, protocols, type Trajectory } from "@agent-step-value/sdk";
import { syntheticStudy } from "@agent-step-value/sdk/testing";
import { drawnText, heavyRuns, longRun } from "../large-runs.ts";
import { writeMeasuredReport, type ScoredChannel } from "../measured-report.ts";
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

/** Four presets and three of them over the evidence alone, the first with rationales to show. */
function sevenOf(trajectories: readonly Trajectory[], texts: readonly string[] = []): ScoredChannel[] {
  const { direct, rationale128, rationale512, extractive } = protocols;
  const sliced = [direct, rationale128, rationale512].map((protocol) => ({
    ...protocol,
    name: `${protocol.name}@evidence`,
    projection: { ...protocol.projection, slice: "evidence" as const },
  }));
  return [rationale512, direct, rationale128, extractive, ...sliced].map((protocol, at) =>
    scriptedChannel(defineProtocol({ ...protocol, evaluator }), trajectories, {
      // No round number among them: what is unrounded takes most room.
      score: (state, candidate) => -30 * Math.abs(Math.sin(1 + state * 7 + candidate * 5 + at)),
      ...(at === 0 && texts.length > 0 && { rationale: (state: number) => texts[state % texts.length]! }),
      ...(texts.length > 0 && { flags: ["low_label_mass", "first_token_not_label"] as const }),
    }),
  );
}

/** As many numbers as a report can meet: seven channels over more runs than are shown, with short and long states. */
export async function sevenChannels({ browser, tally, out }: Desk): Promise<void> {
  const random = createRandom(5);
  const texts = Array.from({ length: 40 }, () => drawnText(random, 2500));
  const short = syntheticStudy({ trajectories: 1500 }).trajectories;
  const long = heavyRuns(130, 11);
  for (const [name, trajectories, channels] of [
    ["16,500 steps, 7 channels", short, sevenOf(short)],
    ["1,430 steps of 30 KB states, 7 channels", long, sevenOf(long, texts)],
  ] as const) {
    const file = join(out, `seven-channels-${trajectories.length}.html`);
    const subject = { browser, tally, file, name };
    const report = await writeMeasuredReport(file, trajectories, channels, { resamples: 200 });
    await checkPage(subject);
    const { page, close } = await openWatched(browser, file);
    const tiles = await ask<Record<string, number[]>[]>(page, "comparisonTiles");
    const shown = tiles.map((one) => one["Mean signed effect"]?.[0]);
    const wanted = report.comparisons.map(({ all }) => all.signed.mean);
    tally.check(`${name}: six comparisons, unrounded`, shown.join() === wanted.join(), `${shown.length}`);
    const [rows, cards] = [await ask<number>(page, "stepRows"), await ask<number>(page, "stepCards")];
    tally.check(`${name}: one row a shown step`, rows === cards && rows > 1000, `${rows} rows`);
    const apart = await ask<string[]>(page, "cardsUnlikeRows");
    tally.check(`${name}: cards and table show the same numbers`, apart.length === 0, apart.join(" | "));
    await close();
  }
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
