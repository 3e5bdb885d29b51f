import { AsvError, lexicalEvaluator, showValue, type Evaluator } from "@agent-step-value/sdk";

const evaluators: Readonly<Record<string, () => Evaluator>> = {
  lexical: () => lexicalEvaluator(),
};

/** Names that `--evaluator` takes. */
export const EVALUATOR_NAMES: readonly string[] = Object.keys(evaluators);

/** The evaluator of a name. */
export function createEvaluator(name: string): Evaluator {
  const make = Object.hasOwn(evaluators, name) ? evaluators[name] : undefined;
  if (make !== undefined) return make();
  throw new AsvError(
    "unknown_format",
    `There is no evaluator ${showValue(name)}; use ${EVALUATOR_NAMES.join(", ")}.`,
    { evaluator: showValue(name) },
  );
}

/** The caution of an evaluator kind that a stored score names; undefined where there is none. */
export function cautionOf(kind: string): string | undefined {
  return Object.hasOwn(evaluators, kind) ? evaluators[kind]!().caution : undefined;
}
