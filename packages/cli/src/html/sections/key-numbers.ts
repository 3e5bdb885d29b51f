import type { CrossingRate, Summary } from "@agent-step-value/sdk";
import { commonCeiling } from "../collect/surprise-ceiling.ts";
import { plural } from "../markup/foreign.ts";
import { markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";
import { count, percentage, plainNumber, signedNumber } from "../markup/number.ts";
import type { ReportInput } from "../report-input.ts";
import { intervalOf } from "../words/estimate-words.ts";
import { tile } from "./section.ts";

/** The report's six figures in large type, each with what it is to be read against. */
export function keyNumbers({ channel: { summary }, runs }: ReportInput): SafeHtml {
  const { marginGain, surprise, entropyMovement, counts } = summary;
  const ceiling = commonCeiling(runs.candidateCounts);
  const possible = ceiling !== undefined && markup` of a possible ${plainNumber(ceiling)}`;
  const largest = surprise && markup`largest ${plainNumber(surprise.max)}${possible}`;
  const moved =
    entropyMovement &&
    markup`not zero in ${count(entropyMovement.moved)} of ${plural(counts.measured, "step")}`;
  return markup`<dl class="tiles">
${tile("Mean margin gain", nats(signedNumber(marginGain.mean)), intervalOf(marginGain))}
${tile("Steps by sign", signs(summary), markup`${signBar(summary)}toward the target, unmoved, away`)}
${tile("Surprise", nats(plainNumber(surprise?.mean)), largest ?? "not measured")}
${tile("Entropy movement", nats(signedNumber(entropyMovement?.mean)), moved ?? "not measured")}
${tile("Damage", crossing(marginGain.damage), eligible(marginGain.damage, "had the target ahead"))}
${tile("Repair", crossing(marginGain.repair), eligible(marginGain.repair, "had not"))}
</dl>
`;
}

function nats(number: SafeHtml): SafeHtml {
  return markup`${number} <small>nats</small>`;
}

function crossing({ count: times, rateOfEligible }: CrossingRate): SafeHtml {
  return markup`${count(times)} <small>(${percentage(rateOfEligible)})</small>`;
}

function eligible(rate: CrossingRate, which: string): SafeHtml {
  return markup`of ${count(rate.eligible)} steps that ${which}`;
}

function signs({ marginGain: { positive, zero, negative } }: Summary): SafeHtml {
  const [toward, unmoved, away] = [count(positive), count(zero), count(negative)];
  return markup`<span class="signs"><span class="pos">${toward}</span><span class="zero">${unmoved}</span><span class="neg">${away}</span></span>`;
}

/** The same as one bar, for the eye alone. */
function signBar({ marginGain: { positive, zero, negative } }: Summary): HtmlValue {
  if (positive + zero + negative === 0) return undefined;
  const parts = [
    ["pos", positive],
    ["zero", zero],
    ["neg", negative],
  ] as const;
  const bars = parts
    .filter(([, steps]) => steps > 0)
    .map(([sign, steps]) => markup`<i class="${sign}" style="flex-grow:${steps}"></i>`);
  return markup`<span class="sign-bar" aria-hidden="true">${bars}</span>`;
}
