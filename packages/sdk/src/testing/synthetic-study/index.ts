export { STUDY_ACTIONS, STUDY_CHANNELS, type StudyChannel } from "./study-law.ts";
export type { ChannelTruth, EffectTruth, StudyTruth } from "./study-truth.ts";
export {
  syntheticStudy,
  type SyntheticChannel,
  type SyntheticStudy,
  type SyntheticStudyOptions,
} from "./synthetic-study.ts";
