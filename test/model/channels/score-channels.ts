import type { ScoreOutcome } from "@agent-step-value/sdk";
import type { Asv } from "./asv.ts";
import type { RecordingProxy } from "./recording-proxy.ts";

/** The paper's seven, and the control that shows another question's rationale. */
export const CHANNELS = [
  "direct",
  "rationale-128",
  "rationale-512",
  "extractive",
  "candidate-only",
  "direct@evidence",
  "rationale-128@evidence",
  "swapped-128",
] as const;

/** PubMedQA runs hold nothing but task and evidence, so these two send what their namesakes send. */
export const SAME_REQUESTS: Readonly<Record<string, string>> = {
  "direct@evidence": "direct",
  "rationale-128@evidence": "rationale-128",
};

/** What goes to one server, in order; about as long either way, since most of the time goes into writing. */
const LANES: readonly (readonly string[])[] = [
  [
    "direct",
    "direct@evidence",
    "extractive",
    "candidate-only",
    "rationale-128",
    "rationale-128@evidence",
    "swapped-128",
  ],
  ["rationale-512"],
];

export interface ChannelScoring {
  channel: string;
  outcome: ScoreOutcome;
  /** That reached the server. */
  requests: number;
  seconds: number;
}

/** Score file of a channel, seen from the work folder. */
export function scoreFile(channel: string, folder = "."): string {
  return folder === "." ? `${channel}.scores.jsonl` : `${folder}/${channel}.scores.jsonl`;
}

export interface ScoringSetup {
  model: string;
  runs: string;
  /** Folder of the score files, from the work folder. */
  folder?: string;
  /** Of replies; without one nothing is kept. */
  cache?: string;
  channels: readonly string[];
}

/**
 * `asv score` for every channel, as a user would type it: a server takes one channel after the other,
 * and one call at a time, so that it keeps what the next prompt shares with this one.
 */
export async function scoreChannels(
  asv: Asv,
  proxies: readonly [RecordingProxy, ...RecordingProxy[]],
  setup: ScoringSetup,
): Promise<ChannelScoring[]> {
  const [only] = proxies;
  const lanes = proxies.length === 1 ? [LANES.flat()] : LANES;
  const scored = await Promise.all(
    lanes.map(async (lane, i) => {
      const own: ChannelScoring[] = [];
      for (const channel of lane.filter((name) => setup.channels.includes(name)))
        own.push(await scoreChannel(asv, proxies[i] ?? only, channel, setup));
      return own;
    }),
  );
  const all = new Map(scored.flat().map((one) => [one.channel, one]));
  return setup.channels.map((channel) => all.get(channel)!);
}

async function scoreChannel(
  asv: Asv,
  proxy: RecordingProxy,
  channel: string,
  { model, runs, folder, cache }: ScoringSetup,
): Promise<ChannelScoring> {
  const before = proxy.sent.length;
  const started = performance.now();
  const options = {
    "--protocol": channel,
    "--mappings": "balanced:4",
    "--evaluator": "openai",
    "--preset": "llama-cpp-server",
    "--base-url": proxy.baseUrl,
    // A name of its own: the port changes from run to run, and the protocol's id must not.
    "--endpoint": "loopback",
    "--model": model,
    "--top-logprobs": "100",
    "--concurrency": "1",
    "--timeout": "900",
    "--out": scoreFile(channel, folder),
    ...(cache !== undefined && { "--cache": cache }),
    ...(channel.startsWith("swapped") && { "--swapped-from": scoreFile("rationale-128") }),
  };
  const words = [...Object.entries(options).flat(), ...(cache === undefined ? ["--no-cache"] : [])];
  // 4: some states are unscored, which the caller judges.
  const { stdout } = await asv(["score", runs, "--json", "--quiet", ...words], [0, 4]);
  return {
    channel,
    outcome: JSON.parse(stdout) as ScoreOutcome,
    requests: proxy.sent.length - before,
    seconds: (performance.now() - started) / 1000,
  };
}
