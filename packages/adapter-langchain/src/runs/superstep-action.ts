import { flatCopy, plainText } from "../projection/plain-text.ts";
import { callsOf, type GraphTask } from "./graph-task.ts";

/** Most names that are spelled out in the type of a step that did several things at once. */
const MOST_NAMES = 3;

/** What a step did: `type` is what reports group by, the rest is for the reader. */
export interface StepAction {
  readonly type: string;
  readonly [key: string]: unknown;
}

function joined(names: readonly string[], many: string): string {
  const distinct = [...new Set(names)].sort();
  return distinct.length > MOST_NAMES ? many : distinct.join("+");
}

function taskType(task: GraphTask): string {
  const calls = callsOf(task);
  if (isToolTask(task))
    return `tool:${joined(
      calls.map((call) => call.name),
      "many",
    )}`;
  return isModelNode(task) ? "model" : task.node;
}

/** createAgent's own nodes have names of their own; every other node keeps the name its author gave it. */
function isModelNode(task: GraphTask): boolean {
  return task.node === "model_request";
}

function isToolTask(task: GraphTask): boolean {
  return task.sentCall !== undefined || (task.node === "tools" && task.tools.length > 0);
}

/** Arguments as plain JSON: a host's object is never handed on as it is. */
function plainArgs(args: unknown): unknown {
  try {
    return flatCopy(args) ?? JSON.parse(plainText(args));
  } catch {
    return plainText(args);
  }
}

function taskFields(task: GraphTask): Record<string, unknown> {
  const fields: Record<string, unknown> = { node: task.node };
  const calls = callsOf(task);
  if (calls.length > 0) {
    fields["calls"] = calls.map((call) => ({ tool: call.name, args: plainArgs(call.args) }));
  }
  if (task.graphs > 0) fields["subgraphs"] = task.graphs;
  if (task.retries > 0) fields["attempts"] = task.retries + 1;
  if (task.state === "interrupted") fields["interrupt"] = true;
  if (task.state === "failed") fields["failed"] = true;
  if (task.systemPrompt !== undefined) fields["system_prompt"] = task.systemPrompt;
  return fields;
}

/**
 * The action of a step: one task as it is, several as a compound whose `tasks` stand in the order in
 * which the state applied them.
 */
export function superstepAction(tasks: readonly GraphTask[]): StepAction {
  const [only] = tasks;
  if (tasks.length === 1 && only !== undefined) return { type: taskType(only), ...taskFields(only) };
  const types = tasks.map(taskType);
  const tools = types.every((type) => type.startsWith("tool:"));
  const type = tools
    ? `tool:${joined(
        types.map((name) => name.slice("tool:".length)),
        "many",
      )}`
    : joined(types, "parallel");
  return {
    type,
    parallel: tasks.length,
    tasks: tasks.map((task) => ({ type: taskType(task), ...taskFields(task) })),
  };
}

/** The kind of a step: what its tasks ran. */
export function superstepKind(tasks: readonly GraphTask[]): "llm" | "tool" | "retrieval" | "other" {
  if (tasks.some((task) => task.graphs > 0)) return "other";
  if (tasks.length > 0 && tasks.every(isToolTask)) return "tool";
  if (tasks.some((task) => task.models > 0)) return "llm";
  if (tasks.some((task) => task.tools.length > 0)) return "tool";
  return tasks.some((task) => task.retrievers > 0) ? "retrieval" : "other";
}

/** Token and tool counts of a step; a count that no run reported is absent, never zero. */
export function superstepCost(tasks: readonly GraphTask[]): Record<string, number> {
  const cost: Record<string, number> = {};
  const counted = tasks.filter((task) => task.tokens !== undefined);
  if (counted.length > 0) {
    cost["prompt_tokens"] = counted.reduce((sum, task) => sum + (task.tokens?.prompt ?? 0), 0);
    cost["completion_tokens"] = counted.reduce((sum, task) => sum + (task.tokens?.completion ?? 0), 0);
  }
  const calls = tasks.reduce((sum, task) => sum + callsOf(task).length, 0);
  if (calls > 0) cost["tool_calls"] = calls;
  return cost;
}

/** Which tools of a step failed, where their node caught it; undefined when none did. */
export function superstepObservation(tasks: readonly GraphTask[]): Record<string, unknown> | undefined {
  const failed = tasks.flatMap((task) => task.tools.filter((tool) => tool.failed).map((tool) => tool.name));
  return failed.length === 0 ? undefined : { failed_tools: failed };
}
