import {
  createScoreIndex,
  defineProtocol,
  diagnoseTrajectory,
  encodeScoreFileRecord,
  memoryCache,
  parseProtocolName,
  planScoring,
  score,
  type DiagnosedStep,
  type Evaluator,
  type MappingDesign,
  type Protocol,
  type ScoreCache,
  type ScoreFileRecord,
  type ScoreOutcome,
  type ScorePlan,
  type ScoreRecord,
  type Trajectory,
} from "@agent-step-value/sdk";

export interface ChannelRun {
  name: string;
  records: ScoreFileRecord[];
  scores: ScoreRecord[];
  steps: DiagnosedStep[];
  plan: ScorePlan;
  outcome: ScoreOutcome;
  seconds: number;
}

/**
 * Scores all trajectories through one protocol, and measures their steps. The evaluators must be the
 * same but for the server behind them; each takes its share of the trajectories, in order.
 */
export async function runChannel(
  name: string,
  mappings: MappingDesign,
  trajectories: readonly Trajectory[],
  evaluators: readonly Evaluator[],
  cache: ScoreCache = memoryCache(),
): Promise<ChannelRun> {
  const [evaluator] = evaluators as [Evaluator];
  const protocol = defineProtocol({ ...parseProtocolName(name), mappings, evaluator: evaluator.settings });
  const plan = await planScoring(trajectories, { protocol, evaluator, cache });
  const started = performance.now();
  const size = Math.ceil(trajectories.length / evaluators.length);
  const parts = await Promise.all(
    evaluators.map((own, i) => scorePart(protocol, own, cache, trajectories.slice(i * size, (i + 1) * size))),
  );
  const seconds = (performance.now() - started) / 1000;
  const records = parts.flatMap((part, i) => (i === 0 ? part.records : part.records.slice(1)));
  const index = createScoreIndex();
  for (const record of records) index.add(record);
  const steps = trajectories.flatMap((trajectory) => diagnoseTrajectory(trajectory, index));
  const scores = records.filter((record): record is ScoreRecord => record.record === "score");
  const outcome = parts.map((part) => part.outcome).reduce(sum);
  return { name, records, scores, steps, plan, outcome, seconds };
}

/** One call at a time and in order: the server then keeps what the next prompt shares with this one. */
async function scorePart(
  protocol: Protocol,
  evaluator: Evaluator,
  cache: ScoreCache,
  trajectories: readonly Trajectory[],
) {
  const records: ScoreFileRecord[] = [];
  let outcome: ScoreOutcome | undefined;
  const onEnd = (end: ScoreOutcome) => (outcome = end);
  for await (const record of score(trajectories, { protocol, evaluator, cache, concurrency: 1, onEnd })) {
    records.push(record);
  }
  return { records, outcome: outcome! };
}

function sum(a: ScoreOutcome, b: ScoreOutcome): ScoreOutcome {
  return {
    ...a,
    states: a.states + b.states,
    scored: a.scored + b.scored,
    unscored: a.unscored + b.unscored,
    calls: a.calls + b.calls,
    cacheHits: a.cacheHits + b.cacheHits,
  };
}

/** A run as a score file. */
export function scoreFileText({ records }: ChannelRun): string {
  return records.map((record) => `${JSON.stringify(encodeScoreFileRecord(record))}\n`).join("");
}
