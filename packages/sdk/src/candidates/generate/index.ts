export { generateCandidateSet, type GenerateOptions, type TextWriter } from "./generate-candidate-set.ts";
export { renderGenerationPrompt } from "./generation-prompt.ts";
export { readGeneratedAnswers, type GeneratedAnswers } from "./read-generated-answers.ts";
