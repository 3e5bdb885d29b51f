export { lexicalEvaluator, type LexicalOptions } from "./lexical-evaluator.ts";
export { NONE_OF_THE_ABOVE_PMI } from "./none-of-the-above.ts";
