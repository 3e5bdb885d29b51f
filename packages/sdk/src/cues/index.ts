export { createBufferTexts, type BufferTexts } from "./buffer-texts.ts";
export { encodeCueRow } from "./cue-codec.ts";
export { cueCsvLines } from "./cue-csv.ts";
export {
  CUE_VERDICTS,
  CUES_SCHEMA,
  type Cue,
  type CueCandidate,
  type CueRow,
  type CueVerdict,
} from "./cue-row.ts";
export {
  applyCueVerdicts,
  readCueVerdicts,
  type AppliedVerdicts,
  type CueJudgement,
  type CueJudgements,
} from "./cue-verdicts.ts";
export { cueWorkList, type CueInput, type CueWorkList, type SkippedCueStep } from "./cue-work-list.ts";
export { decodeCueRow } from "./decode-cue-row.ts";
export { CUE_PRESENCES, type CuePresence } from "./searched-text.ts";
export { summarizeCues, type CueSummary } from "./summarize-cues.ts";
