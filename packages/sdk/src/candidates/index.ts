export {
  attachCandidates,
  candidateSetRecord,
  indexCandidateSets,
  type CandidateSet,
  type CandidateSetIndex,
} from "./attach-candidates.ts";
export { isNoneOfTheAbove, NONE_OF_THE_ABOVE_ID, normaliseCandidateText } from "./candidate-words.ts";
export { checkFrozen, type FrozenCheck, type UnfrozenReason } from "./check-frozen.ts";
export {
  generateCandidateSet,
  readGeneratedAnswers,
  renderGenerationPrompt,
  type GeneratedAnswers,
  type GenerateOptions,
  type TextWriter,
} from "./generate/index.ts";
export { readReview, renderReview, type ReadReviewOptions, type ReviewResult } from "./review/index.ts";
export { isUnreviewed } from "./unreviewed.ts";
export { freezeCandidates } from "./freeze-candidates.ts";
export { labelAt, labelMappings, labelsOf, mappingBalance } from "./label-mappings.ts";
export { parseMappings, type MappingDesign } from "./mapping-design.ts";
export {
  CANDIDATE_PRESETS,
  newCandidateSet,
  type CandidatePreset,
  type NewCandidateSetOptions,
} from "./new-candidate-set.ts";
export {
  MAX_CANDIDATES,
  MIN_CANDIDATES,
  validateCandidates,
  type CandidateOrigin,
} from "./validate-candidates.ts";
