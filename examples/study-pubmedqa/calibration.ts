import type { Block, Evaluator, Trajectory } from "@agent-step-value/sdk";

/** Highest score of a concrete candidate, state by state, for each kind of state. */
export interface TopScores {
  /** The question's own abstract: a concrete candidate should be preferred. */
  own: number[];
  /** Another question's abstract: none-of-the-above should be preferred. */
  foreign: number[];
  /** The question alone: none-of-the-above should be preferred. */
  questionOnly: number[];
}

/** Rates at one value of the constant. */
export interface CurvePoint {
  constant: number;
  /** Share of states with none-of-the-above on top. */
  noneOnOwn: number;
  noneOnForeign: number;
  noneOnQuestionOnly: number;
  /** Youden's J: 1 − noneOnOwn + noneOnForeign − 1, that is 2 × balanced accuracy − 1. */
  youden: number;
}

/** Scores every question with its own abstract, with every other abstract, and with none. */
export async function topScores(
  evaluator: Evaluator,
  questions: readonly Trajectory[],
  abstracts: readonly Trajectory[] = questions,
): Promise<TopScores> {
  const scores: TopScores = { own: [], foreign: [], questionOnly: [] };
  for (const { task, trajectoryId } of questions) {
    const candidates = task.candidateSpace.candidates.filter(({ id }) => id !== "none-of-the-above");
    const top = async (evidence: readonly Block[]): Promise<number> => {
      const blocks: Block[] = [{ kind: "task", text: task.question }, ...evidence];
      const request = { question: task.question, candidates, blocks, labelToCandidate: {}, prompt: "" };
      const reply = await evaluator.score(request);
      if (reply.form !== "candidates")
        throw new Error("The constant belongs to an evaluator without labels.");
      return Math.max(...Object.values(reply.scores));
    };
    scores.questionOnly.push(await top([]));
    for (const abstract of abstracts) {
      const own = abstract.trajectoryId === trajectoryId;
      scores[own ? "own" : "foreign"].push(await top(evidenceOf(abstract)));
    }
  }
  return scores;
}

function evidenceOf({ steps }: Trajectory): Block[] {
  const blocks = steps.at(-1)?.stateAfter?.["blocks"] as unknown as Block[];
  return blocks.filter(({ kind }) => kind === "evidence");
}

/** The rates for constants 0 to 2 in steps of 0.05. */
export function calibrationCurve({ own, foreign, questionOnly }: TopScores): CurvePoint[] {
  const below = (scores: readonly number[], constant: number): number =>
    scores.filter((score) => score < constant).length / scores.length;
  return Array.from({ length: 41 }, (_, i) => {
    const constant = i / 20;
    const noneOnOwn = below(own, constant);
    const noneOnForeign = below(foreign, constant);
    const noneOnQuestionOnly = below(questionOnly, constant);
    return { constant, noneOnOwn, noneOnForeign, noneOnQuestionOnly, youden: noneOnForeign - noneOnOwn };
  });
}

/**
 * The rule: the constant with the largest Youden's J among those that put none-of-the-above on top of
 * every bare question; the smallest of equals.
 */
export function chooseConstant(curve: readonly CurvePoint[]): CurvePoint {
  const usable = curve.filter(({ noneOnQuestionOnly }) => noneOnQuestionOnly === 1);
  return usable.reduce((best, point) => (point.youden > best.youden ? point : best));
}
