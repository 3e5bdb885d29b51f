export { candidateRecords } from "./candidate-records.ts";
export { captureRuns } from "./capture-runs.ts";
export { ScriptedModel } from "./scripted-model.ts";
