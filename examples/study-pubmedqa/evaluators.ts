import { lexicalEvaluator, type Evaluator } from "@agent-step-value/sdk";

/** Evaluators the study can be run with, by the name `--evaluator` takes. */
export const evaluators: Readonly<Record<string, () => Evaluator>> = {
  lexical: () => lexicalEvaluator(),
};
