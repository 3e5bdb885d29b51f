import type { Evaluator } from "@agent-step-value/sdk";
import { memoryCache } from "@agent-step-value/sdk/score";
import { finalAccuracy, gainsByGroup, largestDifference, type Accuracy, type GroupGain } from "./findings.ts";
import { measure } from "./measure.ts";
import { readQuestions } from "./questions.ts";

/** What the study finds out about one evaluator. */
export interface StudyResult {
  evaluator: { kind: string; model: string };
  caution?: string;
  /** Read: the question's own abstract. */
  accuracy: Accuracy;
  /** Read: own abstract and its conclusion. */
  accuracyWithConclusion: Accuracy;
  /** Mean margin gain by section, LONG_ANSWER and FOREIGN being the controls. */
  gains: GroupGain[];
  /** Largest difference of a final score when the sections are read in another order, nats. */
  shuffleDifference: number;
  bootstrap: { unit: "trajectory"; resamples: number; seed: number };
}

/** Runs the study: own abstract, positive control, negative control, shuffled order. */
export async function runStudy(
  file: string,
  evaluator: Evaluator,
  options: { resamples?: number; seed?: number } = {},
): Promise<StudyResult> {
  const { resamples = 10_000, seed = 7 } = options;
  // One cache: the controls begin with the states of the abstract, which are scored once.
  const cache = memoryCache();
  const own = await measure(await readQuestions(file), evaluator, cache);
  const positive = await measure(await readQuestions(file, { longAnswer: true }), evaluator, cache);
  const negative = await measure(await readQuestions(file, { foreign: true, seed }), evaluator, cache);
  const shuffled = await measure(
    await readQuestions(file, { shuffleSections: true, seed }),
    evaluator,
    cache,
  );
  const bootstrap = { resamples, seed };
  return {
    evaluator: { kind: evaluator.settings.kind, model: evaluator.settings.model },
    ...(evaluator.caution === undefined ? {} : { caution: evaluator.caution }),
    accuracy: finalAccuracy(own),
    accuracyWithConclusion: finalAccuracy(positive),
    gains: [
      ...gainsByGroup(positive, bootstrap),
      ...gainsByGroup(negative, bootstrap).filter(({ group }) => group === "FOREIGN"),
    ],
    shuffleDifference: largestDifference(own, shuffled),
    bootstrap: { unit: "trajectory", ...bootstrap },
  };
}
