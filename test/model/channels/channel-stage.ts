import { join } from "node:path";
import type { ModelServer } from "../model-server.ts";
import type { Tally } from "../tally.ts";
import { asvIn } from "./asv.ts";
import { channelTable, repeatNoise } from "./channel-table.ts";
import { checkBodies, checkOtherTargets } from "./check-requests.ts";
import { checkResults } from "./check-results.ts";
import { ownGains, scoreLines } from "./own-gains.ts";
import { startProxy, type RecordingProxy } from "./recording-proxy.ts";
import { CHANNELS, SAME_REQUESTS, scoreChannels, scoreFile, type ChannelScoring } from "./score-channels.ts";
import {
  conclusionsOf,
  openWorkFolder,
  OTHER_SCORES,
  OTHER_TARGETS,
  REPEATED,
  REPEATED_SCORES,
  RUNS,
  writeRuns,
} from "./work-files.ts";

export interface ChannelStageOptions {
  folder: string;
  /** The folder is the test's own and may be emptied. */
  own: boolean;
  resume: boolean;
  /** The data set. */
  pubmedqa: string;
  /** At least two: a swapped rationale is another question's. Five and more have intervals. */
  questions: number;
  /** Questions that are measured twice. */
  repeats: number;
  model: string;
}

/**
 * The seven channels of the paper's Table 2 and a control, by the command line alone: import, freeze,
 * score each through a proxy that keeps what is sent, compare, audit, report. Then everything that must
 * hold of the files whatever the model says.
 */
export async function channelStage(
  servers: readonly [ModelServer, ...ModelServer[]],
  options: ChannelStageOptions,
  tally: Tally,
): Promise<void> {
  const { folder, pubmedqa, questions, repeats, model } = options;
  openWorkFolder(folder, options);
  const asv = asvIn(folder);
  const trajectories = await writeRuns(asv, folder, pubmedqa, { questions, repeats });
  const steps = trajectories.reduce((sum, { steps: own }) => sum + own.length, 0);
  const [first, ...rest] = servers;
  const proxies: [RecordingProxy, ...RecordingProxy[]] = [await startProxy(first.baseUrl)];
  for (const server of rest.slice(0, 1)) proxies.push(await startProxy(server.baseUrl));
  console.log(
    `\nSeven channels and a control on ${trajectories.length} questions of PubMedQA, ${steps} steps, by the command line`,
  );

  const setup = { model, channels: CHANNELS, runs: RUNS, cache: "replies" };
  const scored = await scoreChannels(asv, proxies, setup);
  for (const scoring of scored) checkScoring(scoring, tally);
  const others = await scoreChannels(asv, proxies, {
    ...setup,
    runs: OTHER_TARGETS,
    folder: OTHER_SCORES,
  });
  checkOtherTargets(
    folder,
    OTHER_SCORES,
    CHANNELS,
    others.reduce((sum, { requests }) => sum + requests, 0),
    tally,
  );
  const twice = CHANNELS.filter((channel) => !Object.hasOwn(SAME_REQUESTS, channel));
  const { cache: _, ...uncached } = setup;
  await scoreChannels(asv, proxies, {
    ...uncached,
    channels: twice,
    runs: REPEATED,
    folder: REPEATED_SCORES,
  });
  checkBodies(
    proxies.flatMap(({ sent }) => sent),
    trajectories.map(({ task }) => task.question),
    conclusionsOf(pubmedqa, trajectories),
    tally,
  );
  for (const proxy of proxies) await proxy.close();

  const lines = new Map(CHANNELS.map((channel) => [channel, scoreLines(join(folder, scoreFile(channel)))]));
  const gains = new Map(CHANNELS.map((channel) => [channel, ownGains(lines.get(channel)!, trajectories)]));
  const unscored = scored.some(({ outcome }) => outcome.unscored > 0);
  const comparisons = await checkResults(asv, folder, { gains, steps, unscored }, tally);

  const noiseOf = (channel: (typeof CHANNELS)[number]) =>
    Object.hasOwn(SAME_REQUESTS, channel)
      ? undefined
      : repeatNoise(
          gains.get(channel)!,
          ownGains(scoreLines(join(folder, scoreFile(channel, REPEATED_SCORES))), trajectories),
        );
  const measured = CHANNELS.map((channel, i) => ({
    comparison: comparisons[i]!,
    scores: lines.get(channel)!,
    scoring: scored[i]!,
    noise: noiseOf(channel),
  }));
  console.log(`\n${channelTable(measured)}`);
  console.log(
    "G and effects in nats; intervals 95 % over questions; repeat noise: a second measurement of the first " +
      `${repeats} without kept replies.\nA model of 135 million parameters that hardly knows it is to name a label: ` +
      "these numbers show what the channels do to\nsuch an evaluator and that the arithmetic holds, and nothing " +
      "about PubMedQA or about agents.",
  );
}

/** All states scored, and no call that the proxy did not see or saw twice. */
function checkScoring({ channel, outcome, requests, seconds }: ChannelScoring, tally: Tally): void {
  const { states, scored, unscored, calls, cacheHits } = outcome;
  // A control whose donor has fewer states than the longest question leaves the rest unscored, and says so.
  const complete = channel.startsWith("swapped") ? scored > unscored : unscored === 0 && scored > 0;
  tally.check(
    `${channel}: ${states} states scored, each call one request`,
    complete && requests === calls,
    `${scored} scores${unscored > 0 ? `, ${unscored} unscored` : ""}, ${calls} calls, ${cacheHits} kept, ${seconds.toFixed(0)} s`,
  );
}
