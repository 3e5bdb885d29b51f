import { contentTexts } from "../projection/content-texts.ts";
import { isMessage, messageRole } from "../projection/message-like.ts";
import { reportedTokens, toolInput, type GraphTask } from "./graph-task.ts";
import type { RunEntry, RunOutcome, RunStart } from "./run-event.ts";

/** The system messages a model call was given, as one text; undefined when there are none. */
export function systemText(inputs: unknown): string | undefined {
  if (!Array.isArray(inputs)) return undefined;
  const texts = inputs
    .flat()
    .filter((message) => isMessage(message) && messageRole(message) === "system")
    .flatMap((message: { content?: unknown }) => contentTexts(message.content).map((part) => part.text));
  return texts.length === 0 ? undefined : texts.join("\n");
}

/** Notes a run inside a task: which tool with which arguments, which retry. */
export function taskRunStarted(task: GraphTask, entry: RunEntry, start: RunStart): void {
  if (start.isGraph) task.graphs += 1;
  if (start.kind === "chain") return;
  task.runStarted(start.kind, start.name);
  if (start.kind === "retriever") task.retrievers += 1;
  if (start.kind === "tool") {
    const again = task.tools.find(
      (tool) => tool.failed && tool.callId !== undefined && tool.callId === start.toolCallId,
    );
    const run = again ?? {
      name: start.name,
      args: toolInput(start),
      failed: false,
      callId: start.toolCallId,
    };
    run.failed = false;
    if (again === undefined) task.tools.push(run);
    entry.tool = run;
  }
}

/** Notes how a run inside a task ended: the tokens of a model, a tool's failure. */
export function taskRunEnded(task: GraphTask, entry: RunEntry, outcome: RunOutcome): void {
  const { kind, name } = entry.start;
  if (kind === "chain") return;
  const { tool } = entry;
  if (outcome.is === "error") {
    task.runFailed(kind, name);
    if (tool !== undefined) tool.failed = true;
    return;
  }
  if (kind === "model") {
    const tokens = reportedTokens(outcome.output);
    if (tokens !== undefined) task.addTokens(tokens);
  } else if (tool !== undefined) {
    const { status } = (outcome.output ?? {}) as { status?: unknown };
    if (status === "error") tool.failed = true;
  }
}
