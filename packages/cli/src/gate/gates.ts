import { AsvError, showValue, type ChannelComparison, type Summary } from "@agent-step-value/sdk";
import { comparisonMetrics } from "./comparison-metrics.ts";
import { evaluateGate, type GateResult, type GateValue } from "./evaluate-gate.ts";
import { parseGate, type Gate } from "./parse-gate.ts";
import { stepTypeMetrics, summaryMetrics } from "./summary-metrics.ts";

/**
 * The gates of `asv report`, checked before any file is read.
 *
 * @throws AsvError `invalid_argument` for a gate that cannot be read or a number that a report does not have
 */
export function reportGates(texts: readonly string[]): Gate[] {
  return texts.map((text) => {
    const gate = parseGate(text);
    return known(gate, gate.of === undefined ? summaryMetrics : stepTypeMetrics);
  });
}

/** The gates of `asv compare`, as {@link reportGates}. */
export function comparisonGates(texts: readonly string[]): Gate[] {
  return texts.map((text) => known(parseGate(text), comparisonMetrics));
}

/** Every gate against a report. */
export function passReport(gates: readonly Gate[], summary: Summary): GateResult[] {
  return gates.map((gate) => evaluateGate(gate, reportValue(gate, summary)));
}

/** Every gate against the comparisons; one without a channel must hold for each of them. */
export function passComparisons(
  gates: readonly Gate[],
  comparisons: readonly ChannelComparison[],
): GateResult[] {
  return gates.flatMap((gate) => {
    const meant = comparisons.filter(({ a }) => gate.of === undefined || gate.of === a.name);
    if (meant.length === 0) return [evaluateGate(gate, undefined)];
    return meant.map((comparison) => {
      const named = comparisons.length > 1 && gate.of === undefined;
      const shown = named ? { ...gate, text: `${gate.text} (${comparison.a.name})` } : gate;
      return evaluateGate(shown, comparisonMetrics[gate.metric]!(comparison));
    });
  });
}

function reportValue(gate: Gate, summary: Summary): GateValue | undefined {
  if (gate.of === undefined) return summaryMetrics[gate.metric]!(summary);
  const type = summary.stepTypes.find(({ action }) => action === gate.of);
  return type && stepTypeMetrics[gate.metric]!(type);
}

function known(gate: Gate, metrics: Readonly<Record<string, unknown>>): Gate {
  if (Object.hasOwn(metrics, gate.metric)) return gate;
  const part = gate.of === undefined ? "" : "(part)";
  throw new AsvError(
    "invalid_argument",
    `There is no number ${showValue(`${gate.metric}${part}`)} to put a gate on; there are ${Object.keys(metrics).join(", ")}.`,
    { gate: showValue(gate.text) },
  );
}
