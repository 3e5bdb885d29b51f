import { createRandom, type Random } from "@agent-step-value/sdk";

/** Shape of a generated file. */
export interface GeneratorOptions {
  trajectories: number;
  /** Steps a trajectory. */
  steps: number;
  /** Candidates a task. */
  candidates: number;
  /** Characters of text in each state. */
  stateChars: number;
  seed: number;
}

const FLOOR = -20;
const WORDS = (
  "trial cohort dose arm outcome risk ratio effect placebo baseline follow-up " +
  "abstract evidence claim limitation gap mechanism marker estimate interval"
).split(" ");
const STEP_TYPES =
  "classify plan validate-plan retrieve extract draft audit revise advisory-verify post-audit finalize".split(
    " ",
  );

/**
 * Lines of a synthetic `asv.v1` file, deterministic for a seed. Every step carries raw scores and the
 * beliefs that follow from them; the after-state of a step is the before-state of the next.
 */
export function* generateTrajectoryLines(options: GeneratorOptions): Generator<string> {
  const random = createRandom(options.seed);
  const ids = Array.from({ length: options.candidates }, (_, i) =>
    i === options.candidates - 1 ? "none-of-the-above" : `cand-${i + 1}`,
  );
  for (let t = 0; t < options.trajectories; t++) {
    yield JSON.stringify(trajectory(`synthetic-${String(t).padStart(6, "0")}`, t, ids, random, options));
  }
}

function trajectory(id: string, t: number, ids: string[], random: Random, options: GeneratorOptions): object {
  const question = `q ${t}`;
  let scores = drawScores(random, ids);
  let state = { question, completed_steps: [] as string[], notes: text(random, options.stateChars) };
  const steps = Array.from({ length: options.steps }, (_, index) => {
    const type = STEP_TYPES[index % STEP_TYPES.length]!;
    const next = random.unit() < 0.35 ? drawScores(random, ids) : scores;
    const after = {
      question,
      completed_steps: [...state.completed_steps, type],
      notes: text(random, options.stateChars),
    };
    const step = {
      step_id: `${id}-s${index}`,
      index,
      action: { type },
      observation: { text: text(random, Math.min(80, options.stateChars)) },
      state_before: state,
      state_after: after,
      raw_scores_before: scores,
      raw_scores_after: next,
      belief_before: beliefOf(scores),
      belief_after: beliefOf(next),
      cost: {
        prompt_tokens: 200 + random.below(1800),
        completion_tokens: 10 + random.below(290),
        tool_calls: Number(type === "retrieve"),
        latency_ms: 50 + random.below(3950),
      },
      quality_flags: { used_floor_score: Object.values(next).includes(FLOOR), floor_score: FLOOR },
    };
    scores = next;
    state = after;
    return step;
  });
  const candidates = ids.map((candidate) => ({ id: candidate, text: `candidate text ${candidate}` }));
  const space = { type: "candidate_set", candidates, gold_candidate_id: ids[t % ids.length] };
  return {
    schema_version: "asv.v1",
    trajectory_id: id,
    source_adapter: "standard_jsonl",
    task: { task_id: id, question, task_type: "open_qa_candidate_set", candidate_space: space },
    steps,
  };
}

/** A mix of near-one-hot states with floors, peaked, soft and tied ones. */
function drawScores(random: Random, ids: readonly string[]): Record<string, number> {
  const mode = random.unit();
  const winner = ids[random.below(ids.length)]!;
  const score = (id: string): number => {
    if (mode < 0.55) return id === winner ? -1e-9 * random.unit() : FLOOR;
    if (mode < 0.85) return id === winner ? -0.05 * random.unit() : -3 - 14 * random.unit();
    return mode < 0.97 ? -4 * random.unit() : -Math.log(ids.length);
  };
  return Object.fromEntries(ids.map((id) => [id, score(id)]));
}

function beliefOf(scores: Record<string, number>): Record<string, number> {
  const entries = Object.entries(scores);
  const top = Math.max(...Object.values(scores));
  const weights = entries.map(([, score]) => Math.exp(score - top));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return Object.fromEntries(entries.map(([id], c) => [id, weights[c]! / total]));
}

function text(random: Random, chars: number): string {
  let out = "";
  while (out.length < chars) out += `${WORDS[random.below(WORDS.length)]!} `;
  return out.slice(0, chars);
}
