import { sha256Hex, type JsonObject, type Step, type Task } from "../../schema/index.ts";
import { pythonJson } from "./python-json.ts";

/**
 * The toolkit's state hash: `sha256:` and the SHA-256 of the state's Python-style JSON. Another identity
 * than `stateSha256`, which hashes canonical JSON.
 */
export function asvEvalStateHash(state: JsonObject): string {
  return `sha256:${sha256Hex(pythonJson(state))}`;
}

/**
 * The state the toolkit hashes at one side of a step. A state that is absent, or present and empty, is
 * replaced by one made of the task and the observations so far.
 *
 * @param observed number of steps whose observations count: the step's place before it, one more after
 */
export function asvEvalState(
  state: JsonObject | undefined,
  task: Task,
  steps: readonly Step[],
  observed: number,
): JsonObject {
  if (state !== undefined && Object.keys(state).length > 0) return state;
  const observations = steps.slice(0, observed).map(({ observation }) => observation);
  return {
    task_id: task.taskId,
    question: task.question,
    observations: observations.filter((observation) => Object.keys(observation).length > 0),
  };
}
