export {
  scriptedEvaluator,
  type ScriptedEvaluator,
  type ScriptedOptions,
  type ScriptedReply,
} from "../evaluators/scripted/index.ts";
export { fixtureTrajectory, type FixtureOptions } from "./fixture-trajectory.ts";
