import type { Summary } from "@agent-step-value/sdk";
import { isSameMeasurement } from "../../compare/same-measurement.ts";
import { foreign, plural } from "../markup/foreign.ts";
import { joined, markup, type SafeHtml } from "../markup/markup.ts";
import { count, percentage, plainNumber, signedNumber } from "../markup/number.ts";
import type { ReportInput } from "../report-input.ts";
import { flagWords, raisedFlags } from "../words/flag-meanings.ts";

/** One thing that speaks for or against the numbers. */
export interface TrustItem {
  level: "good" | "note" | "warn";
  text: SafeHtml;
}

/** What a reader must know of the numbers before believing them. */
export function trustItems(input: ReportInput): TrustItem[] {
  const { summary } = input.channel;
  return [
    ...sampleItems(summary),
    ...resamplingItems(summary),
    ...mixtureItems(summary),
    ...missingItems(summary),
    ...flagItems(summary),
    ...robustnessItems(summary),
    ...channelItems(input),
    ...labelItems(summary),
  ];
}

function sampleItems({ marginGain, warnings, bootstrap }: Summary): TrustItem[] {
  const runs = plural(marginGain.trajectories, "run");
  if (warnings.includes("no_margins")) {
    return [warn(markup`<strong>No reviewed target</strong>: there is movement without a direction.`)];
  }
  if (warnings.includes("too_few_trajectories")) {
    return [warn(markup`<strong>${runs}</strong>: below 5 no interval is given.`)];
  }
  if (warnings.includes("few_trajectories")) {
    return [warn(markup`<strong>${runs}</strong>: below 20 the intervals are too narrow.`)];
  }
  if (marginGain.interval === undefined || warnings.includes("few_resamples")) return [];
  const { resamples, seed } = bootstrap;
  return [good(markup`Intervals from ${runs}, resampled whole ${count(resamples)} times (seed ${seed}).`)];
}

function resamplingItems({ warnings, bootstrap: { resamples } }: Summary): TrustItem[] {
  if (!warnings.includes("few_resamples")) return [];
  return [
    warn(
      markup`<strong>${plural(resamples, "resample")}</strong>: below 200 the ends of the intervals are coarse.`,
    ),
  ];
}

function mixtureItems({ warnings }: Summary): TrustItem[] {
  const items: TrustItem[] = [];
  if (warnings.includes("several_protocols")) {
    items.push(warn(markup`<strong>Several protocols are mixed</strong> in these numbers.`));
  }
  if (warnings.includes("several_evaluators")) {
    items.push(warn(markup`<strong>Several evaluators are mixed</strong> in these numbers.`));
  }
  return items;
}

function missingItems({ counts: { unscored } }: Summary): TrustItem[] {
  if (unscored === 0) return [];
  const verb = unscored === 1 ? "counts" : "count";
  return [warn(markup`${plural(unscored, "step")} could not be measured and ${verb} nowhere.`)];
}

/** Flags named on the first screen; the rest is counted. */
const MOST_FLAGS = 3;

function flagItems({ flags, counts }: Summary): TrustItem[] {
  const raised = raisedFlags(flags);
  if (counts.steps === 0) return [];
  if (raised.length === 0) return [good(markup`No step carries a quality flag.`)];
  const named = raised
    .slice(0, MOST_FLAGS)
    .map(([flag, steps]) => markup`${flagWords(flag)} on ${count(steps)}`);
  const rest = raised.length - named.length;
  return [note(markup`Flagged steps: ${joined(named)}${rest > 0 && ` and ${plural(rest, "more flag")}`}.`)];
}

function robustnessItems({ marginGain: { leaveOneOut, interval }, variants }: Summary): TrustItem[] {
  const items: TrustItem[] = [];
  if (leaveOneOut !== undefined) {
    const [low, high] = [signedNumber(leaveOneOut.min), signedNumber(leaveOneOut.max)];
    const stable = markup`Without any one run the mean stays within ${low} and ${high}.`;
    if (leaveOneOut.signStable) items.push(interval === undefined ? note(stable) : good(stable));
    else {
      items.push(
        warn(markup`<strong>One run can turn the sign</strong>: without one, the mean is ${low} to ${high}.`),
      );
    }
  }
  const clean = variants.find(({ name }) => name === "clean");
  if (clean !== undefined && clean.excludedSteps > 0) {
    items.push(note(markup`Clean steps alone (${count(clean.steps)}): mean ${signedNumber(clean.mean)}.`));
  }
  return items;
}

/** Share of opposite signs from which the channel is a warning and no longer a note. */
const MUCH_DISAGREEMENT = 0.2;
const MOST_COMPARISONS = 2;

function channelItems({ comparisons = [], audit }: ReportInput): TrustItem[] {
  if (comparisons.length === 0 && audit === undefined) return [oneChannel];
  return comparisons.slice(0, MOST_COMPARISONS).map((comparison) => {
    const { a, b, all } = comparison;
    const { rate, bothMoved } = all.signDisagreement;
    const names = markup`${foreign(a.name, 24)} and ${foreign(b.name, 24)}`;
    if (isSameMeasurement(comparison)) {
      return warn(markup`${names} are <strong>the same measurement</strong>: not one gain differs.`);
    }
    if (rate.mean === undefined) return note(markup`${names}: no step moved in both channels.`);
    const share = markup`<strong>${percentage(rate.mean)}</strong>`;
    const text = markup`${names} differ in sign on ${share} of ${plural(bothMoved, "step")} that moved in both.`;
    return rate.mean >= MUCH_DISAGREEMENT ? warn(text) : note(text);
  });
}

const oneChannel =
  note(markup`<strong>One channel only.</strong> How much of this is the evaluator talking is not
known; measure a second one.`);

function labelItems({ humanLabels }: Summary): TrustItem[] {
  if (humanLabels === undefined) return [];
  const { byMarginGain, trajectories } = humanLabels;
  const link = markup`<a href="#labels">Human labels</a> on ${plural(trajectories, "run")}`;
  if (byMarginGain === undefined) return [note(markup`${link}, none of which could be ranked.`)];
  const { meanRank, random } = byMarginGain;
  return [
    note(markup`${link}: mean rank ${plainNumber(meanRank)}, chance ${plainNumber(random.low)} to
${plainNumber(random.high)}; no proof that mistakes are found.`),
  ];
}

function good(text: SafeHtml): TrustItem {
  return { level: "good", text };
}

function note(text: SafeHtml): TrustItem {
  return { level: "note", text };
}

function warn(text: SafeHtml): TrustItem {
  return { level: "warn", text };
}
