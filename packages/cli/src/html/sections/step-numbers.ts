import type { OpenInterval, StepDiagnostics } from "@agent-step-value/sdk";
import type { RunView, StepView } from "../collect/run-view.ts";
import { foreign } from "../markup/foreign.ts";
import { markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";
import { intervalNumbers, plainNumber, signedNumber } from "../markup/number.ts";
import { flagWords } from "../words/flag-meanings.ts";
import { beliefTable } from "./beliefs.ts";
import { gainElement } from "./gain-element.ts";
import type { RunContext } from "./run-context.ts";

/** Further channels whose gains stand as facts of their own; those of more are one list. */
const MOST_APART = 2;

/** The numbers of one step, in the main channel and the others, with beliefs and flags. */
export function stepNumbers(run: RunView, step: StepView, context: RunContext): HtmlValue {
  const { diagnostics } = step.measured;
  if (diagnostics === undefined) return [markup`<p class="quiet">Not measured.</p>`, flagList(step)];
  const facts = [...factsOf(diagnostics, context), ...otherFacts(step, context)];
  return [markup`<dl class="nums">${facts}</dl>`, beliefTable(diagnostics, run.candidates), flagList(step)];
}

function factsOf(diagnostics: StepDiagnostics, { layouts, scale, numbers }: RunContext): SafeHtml[] {
  const { marginGain, marginBefore, marginAfter, layoutSpread, floorInterval } = diagnostics;
  const facts = [
    fact("Margin gain", gainElement("dd", marginGain, scale, numbers.signed)),
    fact("Surprise", value(numbers.plain(diagnostics.surprise))),
    fact("Entropy movement", value(numbers.signed(diagnostics.entropyMovement))),
  ];
  if (marginBefore !== undefined && marginAfter !== undefined) {
    const margins = markup`${numbers.signed(marginBefore)} → ${numbers.signed(marginAfter)}`;
    facts.push(fact("Margin", value(margins)));
  }
  if (layoutSpread !== undefined && layouts > 1) {
    facts.push(fact("Layout spread", value(plainNumber(layoutSpread))));
  }
  if (floorInterval !== undefined) {
    facts.push(fact("Gain, given the floor", value(openInterval(floorInterval))));
  }
  return facts;
}

function otherFacts({ inOthers }: StepView, { channelNames, numbers }: RunContext): SafeHtml[] {
  const others = inOthers.map((other, at) => ({
    name: foreign(channelNames[at] ?? "other channel", 24),
    gain: numbers.signed(other?.diagnostics?.marginGain),
  }));
  if (others.length <= MOST_APART) {
    return others.map(({ name, gain }) => fact(markup`Gain, ${name}`, value(gain)));
  }
  const list = others.map(({ name, gain }) => value(markup`${name} ${gain}`));
  return [markup`<div class="others"><dt>Gain in other channels</dt>${list}</div>`];
}

function fact(name: HtmlValue, definition: SafeHtml): SafeHtml {
  return markup`<div><dt>${name}</dt>${definition}</div>`;
}

function value(content: SafeHtml): SafeHtml {
  return markup`<dd>${content}</dd>`;
}

function openInterval({ low, high }: OpenInterval): SafeHtml {
  if (low === undefined && high === undefined) return markup`open on both sides`;
  if (low === undefined) return markup`at most ${signedNumber(high)}`;
  return high === undefined ? markup`at least ${signedNumber(low)}` : intervalNumbers({ low, high });
}

/** What a flag means stands once, in the table of flags. */
function flagList({ measured: { flags } }: StepView): HtmlValue {
  if (flags.length === 0) return undefined;
  return markup`<p class="flags"><a href="#flags">Flags</a>: ${flags.map(flagWords).join(", ")}</p>`;
}
