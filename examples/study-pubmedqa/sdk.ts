export { lexicalEvaluator, NONE_OF_THE_ABOVE_PMI } from "../../packages/sdk/src/evaluators/lexical/index.ts";
export type { Evaluator } from "../../packages/sdk/src/evaluators/evaluator.ts";
export {
  importPubmedqa,
  type ImportLine,
  type PubmedqaOptions,
} from "../../packages/sdk/src/import/index.ts";
export type { Block, Trajectory } from "../../packages/sdk/src/schema/index.ts";
