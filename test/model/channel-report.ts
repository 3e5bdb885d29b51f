import type { RationaleRecord, Trajectory } from "@agent-step-value/sdk";
import type { ChannelRun } from "./channel.ts";
import { mean, show, spreadOf } from "./figures.ts";

/** What one channel's numbers say, with nothing left out because it looks bad. */
export function describeChannel(run: ChannelRun, trajectories: readonly Trajectory[]): string[] {
  const { scores, steps, outcome, seconds } = run;
  const gains = steps.flatMap(({ diagnostics }) => diagnostics?.marginGain ?? []);
  const spreads = steps.flatMap(({ diagnostics }) => diagnostics?.layoutSpread ?? []);
  const masses = scores.map(({ labelMass }) => labelMass ?? 0);
  const floored = scores.filter(({ flags }) => flags.includes("floor")).length;
  const notLabel = scores.filter(({ flags }) => flags.includes("first_token_not_label")).length;
  const lines = [
    `${run.name}: ${outcome.states} states, ${scores.length} scores, ${outcome.calls} calls (` +
      `${outcome.cacheHits} from the cache) in ${seconds.toFixed(0)} s; ${describeTokens(run)}`,
    `  label mass      mean ${show(mean(masses))}, below 0.5 in ${masses.filter((mass) => mass < 0.5).length} of ${masses.length}; ` +
      `a label missing in ${floored}, another first token in ${notLabel}`,
    `  mean G          ${show(mean(gains))} over ${gains.length} steps; positive ${gains.filter((gain) => gain > 0).length}, ` +
      `negative ${gains.filter((gain) => gain < 0).length}`,
    `  layout spread   mean ${show(mean(spreads))}, ${spreadOf(spreads)}`,
    `  position alone  first label's share of the belief ${show(shareOfFirstLabel(run))} (even: 0.250)`,
    `  accuracy        ${accuracy(run, trajectories, "before")} before the first section, ${accuracy(run, trajectories, "after")} after the last`,
    `  mean G by section ${bySection(run)}`,
  ];
  const rationales = run.records.filter((record): record is RationaleRecord => record.record === "rationale");
  if (rationales.length > 0) lines.push(`  rationales      ${describeRationales(rationales)}`);
  return lines;
}

/** Tokens of the prompts behind the scores, and how many the server really evaluated for them. */
function describeTokens({ scores }: ChannelRun): string {
  const total = (key: "promptTokens" | "cachedTokens") =>
    scores.reduce((sum, { usage }) => sum + (usage?.[key] ?? 0), 0);
  return `${total("promptTokens")} scored prompt tokens, ${total("cachedTokens")} of them kept by the server`;
}

/** Belief on label A, mean over all scored calls: what the position of a candidate does by itself. */
function shareOfFirstLabel({ scores }: ChannelRun): number {
  return mean(
    scores.map(({ labelScores }) => {
      const values = Object.values(labelScores ?? {}).map(Math.exp);
      return values[0]! / values.reduce((sum, value) => sum + value, 0);
    }),
  );
}

function accuracy(run: ChannelRun, trajectories: readonly Trajectory[], when: "before" | "after"): string {
  let right = 0;
  let counted = 0;
  for (const { trajectoryId, task } of trajectories) {
    const own = run.steps.filter((step) => step.trajectoryId === trajectoryId);
    const belief =
      when === "before" ? own[0]?.diagnostics?.beliefBefore : own.at(-1)?.diagnostics?.beliefAfter;
    if (belief === undefined) continue;
    counted++;
    const [top] = Object.entries(belief).toSorted((a, b) => b[1] - a[1])[0]!;
    if (top === task.candidateSpace.goldCandidateId) right++;
  }
  return `${right} of ${counted}`;
}

function bySection({ steps }: ChannelRun): string {
  const groups = new Map<string, number[]>();
  for (const { action, diagnostics } of steps) {
    const gain = diagnostics?.marginGain;
    if (gain !== undefined) groups.set(action, [...(groups.get(action) ?? []), gain]);
  }
  const named = [...groups]
    .filter(([, gains]) => gains.length >= 3)
    .toSorted((a, b) => b[1].length - a[1].length);
  return named.map(([action, gains]) => `${action} ${show(mean(gains))} (${gains.length})`).join(", ");
}

function describeRationales(rationales: readonly RationaleRecord[]): string {
  const cut = rationales.filter(({ finishReason }) => finishReason === "length").length;
  const flags = new Map<string, number>();
  for (const record of rationales)
    for (const flag of record.flags) flags.set(flag, (flags.get(flag) ?? 0) + 1);
  const flagged = [...flags].map(([flag, count]) => `${flag} ${count}`).join(", ");
  return `${rationales.length}, cut off ${cut}; flags: ${flagged || "none"}`;
}

/** Sign disagreement over the steps that moved in both channels by more than `tolerance`. */
export function compareSigns(a: ChannelRun, b: ChannelRun, tolerance: number): string {
  let both = 0;
  let disagree = 0;
  const differences: number[] = [];
  for (const [i, { diagnostics }] of a.steps.entries()) {
    const [left, right] = [diagnostics?.marginGain, b.steps[i]?.diagnostics?.marginGain];
    if (left === undefined || right === undefined) continue;
    differences.push(left - right);
    if (Math.abs(left) <= tolerance || Math.abs(right) <= tolerance) continue;
    both++;
    if (left > 0 !== right > 0) disagree++;
  }
  return (
    `sign disagreement ${disagree} of ${both} steps that moved by more than ${show(tolerance)} in both ` +
    `(${differences.length - both} left out); |difference of G| ${spreadOf(differences)}`
  );
}
