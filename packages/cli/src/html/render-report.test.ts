import {
  auditChannels,
  compareChannels,
  createScoreIndex,
  createSummarizer,
  diagnoseTrajectory,
  type DiagnosedStep,
  type Summary,
  type Trajectory,
} from "@agent-step-value/sdk";
import { syntheticStudy } from "@agent-step-value/sdk/testing";
import { describe, expect, it } from "vitest";
import { createRunCollector } from "./collect/collect-runs.ts";
import { rationaleKey } from "./collect/run-view.ts";
import { renderReport } from "./render-report.ts";
import type { ReportInput } from "./report-input.ts";
import { tagProblem } from "./well-formed.test-support.ts";

const study = syntheticStudy({ trajectories: 12 });
const [direct] = study.channels;

function inputOf(
  trajectories: readonly Trajectory[] = study.trajectories,
  change: (step: DiagnosedStep) => DiagnosedStep = (step) => step,
): ReportInput & { summary: Summary } {
  const index = createScoreIndex();
  for (const record of direct!.records) index.add(record);
  const summarizer = createSummarizer({ resamples: 200 });
  const collector = createRunCollector();
  for (const trajectory of trajectories) {
    const steps = diagnoseTrajectory(trajectory, index, { protocolId: direct!.protocol.id }).map(change);
    for (const step of steps) summarizer.add(step);
    collector.add({ trajectory, steps, others: [] });
  }
  const summary = summarizer.finish();
  const { protocol } = direct!;
  return {
    summary,
    sources: ["runs.jsonl"],
    generator: "asv test",
    channel: {
      name: protocol.name,
      protocolId: protocol.id,
      protocol,
      summary,
      cautions: ["a demonstration, not a judge"],
    },
    runs: collector.finish(),
  };
}

async function render(input: ReportInput): Promise<string> {
  let html = "";
  for await (const part of renderReport(input)) html += part;
  return html;
}

const textOf = (html: string) =>
  html
    .replace(/<style>[\s\S]*?<\/style>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

describe("renderReport", () => {
  it("is one well-formed page that forbids itself to load or run anything", async () => {
    const html = await render(inputOf());
    expect(tagProblem(html)).toBeUndefined();
    expect(html.startsWith("<!doctype html>")).toBe(true);
    expect(html.includes("default-src 'none'; style-src 'unsafe-inline'")).toBe(true);
    expect(/<script|<link|<img|<iframe|src=|url\(|@import|https?:\/\//i.exec(html)?.[0]).toBeUndefined();
  });

  it("says caution, protocol, sample and limits before the figures", async () => {
    const input = inputOf();
    const text = textOf(await render(input));
    const first = text.slice(0, text.indexOf("Where the gains and losses lie"));
    for (const words of [
      "a demonstration, not a judge",
      input.channel.protocolId,
      "12 runs",
      "too narrow",
      "One channel only",
    ]) {
      expect(first).toContain(words);
    }
    expect(text).toContain("replay diagnosis, not a cause");
    expect(text).toContain("no verdict on an agent, and none on a person");
  });

  it("says that entropy misses pivots, with the summary's own numbers", async () => {
    const input = inputOf();
    const html = await render(input);
    expect(html).toContain('id="entropy-misses"');
    const { pivots, surprise } = input.summary;
    const pivoted = pivots!.targetDirected + pivots!.destructive + pivots!.betweenOthers;
    expect(textOf(html)).toContain(`Entropy misses ${pivoted} pivots`);
    expect(html).toContain(`<data value="${surprise!.max}">`);
  });

  it("gives the same bytes for the same input", async () => {
    expect((await render(inputOf())) === (await render(inputOf()))).toBe(true);
  });

  it("shows rationales with the state they were written for", async () => {
    const input = inputOf();
    const run = input.runs.shown[3]!;
    const state = run.steps[4]!.afterSha256!;
    const rationales = new Map([
      [rationaleKey(run.taskId, run.candidateSetSha256, state), "because <of> the lamp"],
    ]);
    const html = await render({ ...input, rationales });
    const card = html.slice(html.indexOf('id="run-3-step-4"'), html.indexOf('id="run-3-step-5"'));
    expect(card).toContain("because &lt;of&gt; the lamp");
    expect(html.split("because &lt;of&gt; the lamp")).toHaveLength(2);
  });

  it("leads every link of its own to a place in itself", async () => {
    const html = await render(inputOf());
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of html.matchAll(/ href="#([^"]*)"/g)) expect(ids).toContain(target);
  });

  it("states what is missing and never shows it as zero", async () => {
    const unscored = (step: DiagnosedStep): DiagnosedStep => {
      const { diagnostics, ...rest } = step;
      expect(diagnostics).toBeDefined();
      return { ...rest, flags: ["unscored"] };
    };
    const unmeasured = inputOf(study.trajectories, unscored);
    const text = textOf(await render(unmeasured));
    expect(text).toContain("No step could be measured");
    expect(text).toContain("132 steps could not be measured and count nowhere");
    expect(text).toContain("No step has a margin, so damage and repair are not known");
    expect(/NaN|Infinity|undefined|\[object/.exec(text)?.[0]).toBeUndefined();
    expect(tagProblem(await render(inputOf([])))).toBeUndefined();
  });

  it("says of which steps the mean is, where it is not of all", async () => {
    const everyThird = (step: DiagnosedStep): DiagnosedStep => {
      const { diagnostics, ...rest } = step;
      if (step.trajectoryId !== study.trajectories[0]!.trajectoryId && step.index % 3 !== 0) return step;
      return diagnostics === undefined ? step : { ...rest, flags: ["unscored"] };
    };
    const partly = inputOf(study.trajectories, everyThird);
    const text = textOf(await render(partly));
    // Of 11 steps a run, the 4 with index 0, 3, 6, 9 have no gain, and of the first run none has.
    expect(text).toContain(
      "12 runs with 132 steps, replayed through the channel direct . The mean is of the 77 steps in 11 runs that have a gain; 95 % interval",
    );
    expect(textOf(await render(inputOf()))).not.toContain("The mean is of");
  });

  it("keeps the steps by sign apart in its text", async () => {
    const { summary, ...input } = inputOf();
    const { positive, zero, negative } = summary.marginGain;
    const html = await render(input);
    const tile = html.slice(html.indexOf('<span class="signs">'), html.indexOf('<span class="sign-bar"'));
    expect(tile.replace(/<[^>]*>/g, "")).toContain(`${positive} toward / ${zero} unmoved / ${negative} away`);
  });

  it("says of two channels with the very same gains that they are one measurement", async () => {
    const input = inputOf();
    const index = createScoreIndex();
    for (const record of direct!.records) index.add(record);
    const { protocolId, protocol } = index.protocols()[0]!;
    const steps = study.trajectories.flatMap((trajectory) =>
      diagnoseTrajectory(trajectory, index, { protocolId }),
    );
    const one = { name: "direct", protocolId, protocol, steps };
    const same = {
      ...one,
      name: "direct@evidence",
      protocolId: "rho-other",
      protocol: { projection: { slice: "evidence" } },
    };
    const comparison = compareChannels(same, one, { resamples: 200 });
    const audit = auditChannels([one, same], {
      baseline: "direct",
      contrast: "direct@evidence",
      resamples: 200,
      size: 10,
    });
    const text = textOf(await render({ ...input, comparisons: [comparison], audit }));
    expect(text).toContain("These two are the same measurement");
    expect(text).toContain("direct@evidence and direct are the same measurement : not one gain differs");
    expect(text).not.toContain("differ in sign on");
    const moved = steps.map((step, i) =>
      i === 5 ? { ...step, diagnostics: { ...step.diagnostics!, marginGain: 0.25 } } : step,
    );
    const other = compareChannels({ ...same, steps: moved }, one, { resamples: 200 });
    expect(textOf(await render({ ...input, comparisons: [other] }))).not.toContain("the same measurement");
  });

  it("holds channels against each other and says which fields differ, what is selected, and what is not known", async () => {
    const input = inputOf();
    const index = createScoreIndex();
    for (const record of study.channels.flatMap(({ records }) => records)) index.add(record);
    const [a, b] = index.protocols().map(({ protocolId, name, protocol }) => ({
      name: name!,
      protocolId,
      protocol,
      steps: study.trajectories.flatMap((trajectory) =>
        diagnoseTrajectory(trajectory, index, { protocolId }),
      ),
    }));
    const comparison = compareChannels(b!, a!, { resamples: 200 });
    const audit = auditChannels([a!, b!], { resamples: 200, size: 10 });
    const html = await render({ ...input, comparisons: [comparison], audit });
    expect(tagProblem(html)).toBeUndefined();
    const text = textOf(html);
    for (const words of [
      "rationale-128 against direct",
      "buffer.max_tokens : 128 → absent",
      "Selected on the outcome.",
      "Clean transitions drawn at random",
      "Not measured: rationale-512, extractive",
    ]) {
      expect(text).toContain(words);
    }
    expect(html).toContain(`<data value="${comparison.all.signed.mean}">`);
    expect(text).not.toContain("One channel only");
    const { differences, changedElements, ...unknown } = comparison;
    expect([differences!.length, changedElements]).toEqual([2, ["buffer"]]);
    expect(textOf(await render({ ...input, comparisons: [unknown] }))).toContain(
      "What differs between the protocols is not known",
    );
  });
});
