import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import {
  auditChannels,
  createComparer,
  createScoreIndex,
  createSummarizer,
  diagnoseTrajectory,
  protocolRecord,
  type ChannelComparison,
  type DiagnosedStep,
  type Protocol,
  type ScoreFileRecord,
  type Summary,
  type Trajectory,
} from "@agent-step-value/sdk";
import { createRunCollector } from "../../packages/cli/src/html/collect/collect-runs.ts";
import { rationaleKey } from "../../packages/cli/src/html/collect/run-view.ts";
import { renderReport } from "../../packages/cli/src/html/render-report.ts";
import type { ReportChannel } from "../../packages/cli/src/html/report-input.ts";

/** A protocol and the score records it left. */
export interface ScoredChannel {
  protocol: Protocol;
  records: readonly ScoreFileRecord[];
}

/** A report made in this process, with the numbers it must show. */
export interface MeasuredReport {
  file: string;
  summary: Summary;
  comparisons: ChannelComparison[];
  /** Steps of the main channel, in the order of the runs. */
  steps: DiagnosedStep[];
}

/** Measures runs through every channel and writes the report about the first; the others are compared with it. */
export async function writeMeasuredReport(
  file: string,
  trajectories: readonly Trajectory[],
  channels: readonly ScoredChannel[],
  { audit = false, resamples = 2000 }: { audit?: boolean; resamples?: number } = {},
): Promise<MeasuredReport> {
  const stepsOf = channels.map(({ protocol, records }) => {
    const index = createScoreIndex();
    for (const record of records) index.add(record);
    return trajectories.map((trajectory) =>
      diagnoseTrajectory(trajectory, index, { protocolId: protocol.id }),
    );
  });
  const summaries = stepsOf.map((perRun) => {
    const summarizer = createSummarizer({ resamples });
    for (const steps of perRun) for (const step of steps) summarizer.add(step);
    return summarizer.finish();
  });
  const collector = createRunCollector();
  trajectories.forEach((trajectory, i) => {
    const [steps = [], ...others] = stepsOf.map((perRun) => perRun[i]!);
    collector.add({ trajectory, steps, others });
  });
  const described = channels.map(({ protocol }) => ({
    name: protocol.name,
    protocol: protocolRecord(protocol).protocol,
  }));
  const comparisons = channels.slice(1).map((_, other) => {
    const comparer = createComparer(described[0]!, described[other + 1]!, { resamples });
    trajectories.forEach((__, i) => comparer.add(stepsOf[0]![i]!, stepsOf[other + 1]![i]!));
    return comparer.finish();
  });
  const [channel, ...others] = channels.map(({ protocol }, i): ReportChannel => ({
    name: protocol.name,
    protocolId: protocol.id,
    protocol,
    summary: summaries[i]!,
    cautions: [],
  }));
  const out = createWriteStream(file);
  const parts = renderReport({
    sources: ["in-process data"],
    generator: "asv, browser test",
    channel: channel!,
    others,
    comparisons,
    ...(audit && {
      audit: auditChannels(
        channels.map((_, i) => ({ ...described[i]!, steps: stepsOf[i]!.flat() })),
        { resamples, size: 50 },
      ),
    }),
    runs: collector.finish(),
    rationales: rationalesOf(channels[0]!),
  });
  for await (const part of parts) if (!out.write(part)) await once(out, "drain");
  out.end();
  await finished(out);
  return { file, summary: summaries[0]!, comparisons, steps: stepsOf[0]!.flat() };
}

function rationalesOf({ protocol, records }: ScoredChannel): Map<string, string> {
  const texts = new Map<string, string>();
  for (const record of records) {
    if (record.record !== "rationale" || record.protocolId !== protocol.id) continue;
    texts.set(rationaleKey(record.taskId, record.candidateSetSha256, record.stateSha256), record.text);
  }
  return texts;
}
