import type { CrossingRate, Summary } from "@agent-step-value/sdk";
import { commonCeiling } from "../collect/surprise-ceiling.ts";
import { plural } from "../markup/foreign.ts";
import { joined, markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";
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
  const tiles = [
    tile("Mean margin gain", nats(marginGain.mean, signedNumber), intervalOf(marginGain)),
    marginGain.steps === 0
      ? tile("Steps by sign", unknown, "no step has a margin")
      : tile("Steps by sign", signs(summary), markup`${signBar(summary)}toward the target, unmoved, away`),
    tile("Surprise", nats(surprise?.mean, plainNumber), largest ?? "not measured"),
    tile("Entropy movement", nats(entropyMovement?.mean, signedNumber), moved ?? "not measured"),
    crossingTile("Damage", marginGain.damage, "had the target ahead"),
    crossingTile("Repair", marginGain.repair, "had not"),
  ];
  return markup`<dl class="tiles">${tiles}</dl>
`;
}

function nats(value: number | undefined, number: (value: number | undefined) => SafeHtml): SafeHtml {
  return value === undefined ? unknown : markup`${number(value)} <small>nats</small>`;
}

const unknown = plainNumber(undefined);

/** A rate over all steps is absent when no step has a margin; a count of 0 would then be a claim. */
function crossingTile(name: string, crossing: CrossingRate, which: string): SafeHtml {
  if (crossing.rate === undefined) return tile(name, unknown, "no step has a margin");
  const share = markup`${count(crossing.count)} <small>(${percentage(crossing.rateOfEligible)})</small>`;
  return tile(name, share, markup`of ${plural(crossing.eligible, "step")} that ${which}`);
}

function signs({ marginGain: { positive, zero, negative } }: Summary): SafeHtml {
  const parts = [
    markup`<span class="pos">${count(positive)}${unseen("toward")}</span>`,
    markup`<span class="zero">${count(zero)}${unseen("unmoved")}</span>`,
    markup`<span class="neg">${count(negative)}${unseen("away")}</span>`,
  ];
  return markup`<span class="signs">${joined(parts, signSlash)}</span>`;
}

const signSlash = markup` <span class="slash">/</span> `;

/** For those who hear or copy the text: the order alone would not say which is which. */
function unseen(word: string): SafeHtml {
  return markup`<span class="visually-hidden"> ${word}</span>`;
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
