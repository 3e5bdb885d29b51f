export {
  scriptedEvaluator,
  type ScriptedEvaluator,
  type ScriptedOptions,
  type ScriptedReply,
} from "./scripted-evaluator.ts";
