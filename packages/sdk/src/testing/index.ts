export {
  scriptedEvaluator,
  type ScriptedEvaluator,
  type ScriptedOptions,
  type ScriptedReply,
} from "../evaluators/scripted/index.ts";
export { recordedEvaluator, type RecordedOptions } from "../evaluators/recorded/index.ts";
export { fixtureTrajectory, type FixtureOptions } from "./fixture-trajectory.ts";
export {
  BAD_DAYS,
  DECISION_DAYS,
  decisionAnswers,
  startModelServer,
  type BadDay,
  type DecisionDay,
  type ModelServer,
  type ModelServerOptions,
  type SeenRequest,
  type ServerBehaviour,
} from "./model-server/index.ts";
export { tinyGguf, type TinyGgufOptions } from "./tiny-gguf/index.ts";
export {
  STUDY_ACTIONS,
  STUDY_CHANNELS,
  syntheticStudy,
  type ChannelTruth,
  type EffectTruth,
  type StudyChannel,
  type StudyTruth,
  type SyntheticChannel,
  type SyntheticStudy,
  type SyntheticStudyOptions,
} from "./synthetic-study/index.ts";
