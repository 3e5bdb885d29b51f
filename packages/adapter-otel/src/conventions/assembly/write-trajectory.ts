import { TRAJECTORY_SCHEMA, type JsonObject, type Trajectory } from "@agent-step-value/sdk";
import type { ForeignTraceLog, ForeignTrajectory } from "../foreign-trace.ts";
import { lastAsked } from "../messages/piece.ts";
import { callContent } from "./call-content.ts";
import { entryOf, type Entry } from "./entry.ts";
import { fidelitySentence } from "./fidelity.ts";
import { foldDoubles } from "./fold-doubles.ts";
import type { RunGroup } from "./group-runs.ts";
import { orderCalls, type OrderedCall } from "./order-calls.ts";
import { RunPlan } from "./plan-run.ts";
import { planAnswer } from "./plan-work.ts";
import type { PlannedStep } from "./planned-step.ts";
import { isWrapper } from "./plumbing.ts";
import { byStart, preorder, type SpanNode } from "./span-node.ts";
import { StateWriter } from "./state-writer.ts";
import { stepsInCallOrder } from "./steps-in-call-order.ts";
import { writeSteps } from "./write-steps.ts";

const QUESTION_LIMIT = 20_000;

/** What the run was asked: by its own span, else by the first model call that was asked anything. */
function questionOf(group: RunGroup, ordered: readonly OrderedCall[]): string {
  const own = group.root?.reading.question?.();
  if (own !== undefined && own.trim() !== "") return own;
  for (const { content } of ordered) {
    const asked = lastAsked(content.input ?? []);
    if (asked !== undefined) return asked;
  }
  return "";
}

/** The task's entry has the key of the user's message, so that no state shows the question twice. */
function taskEntry(question: string): Entry {
  const entry = entryOf({ is: "text", role: "user", text: question }, "user");
  return { ...entry, block: { kind: "task", name: "user" }, seen: true };
}

/** The convention that read most of the run's steps. */
function conventionOf(nodes: readonly SpanNode[]): string {
  const counts = new Map<string, number>();
  for (const { convention } of nodes) counts.set(convention, (counts.get(convention) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "none";
}

/** Ids stay as they are, they lead back to the source; what others named is redacted like a text. */
function metadata(
  group: RunGroup,
  nodes: readonly SpanNode[],
  found: { readonly convention: string; readonly fidelity: string },
  writer: StateWriter,
): JsonObject {
  const { root, traceId } = group;
  const session = preorder(root === undefined ? nodes : [root]).find(
    ({ reading }) => reading.session !== undefined,
  )?.reading.session;
  const scopes = new Set(nodes.map(({ span }) => span.scope.name).filter((name) => name !== ""));
  return {
    state_source: "reconstructed",
    ...found,
    trace_id: traceId,
    ...(root !== undefined && { root_span_id: root.span.spanId, run: writer.text(root.reading.name) }),
    ...(session !== undefined && { session_id: writer.text(session) }),
    ...(scopes.size > 0 && { instrumentation: [...scopes].slice(0, 8).map((name) => writer.text(name)) }),
  };
}

/** ISO time of nanoseconds since 1970; absent where it is no date. */
function created(nanos: bigint | undefined): { createdAt?: string } {
  const ms = nanos === undefined ? NaN : Number(nanos / 1_000_000n);
  return ms > 0 && ms < 8.64e15 ? { createdAt: new Date(ms).toISOString() } : {};
}

/** How the run ended, where a span round it tells. */
function statusOf(root: SpanNode | undefined): { status?: string } {
  if (root === undefined) return {};
  if (root.reading.failed === true) return { status: "error" };
  return { status: root.span.endNanos === undefined ? "partial" : "complete" };
}

/** The steps of a run: its calls, or the run itself where it recorded nothing but what it was asked and gave. */
function callsOf(group: RunGroup, log: ForeignTraceLog): SpanNode[] {
  const { root } = group;
  const calls = foldDoubles(group.steps.toSorted(byStart), log);
  if (calls.length > 0 || root === undefined) return calls;
  const lone = root.reading.wrapsCalls === true || root.role === "model" || isWrapper(root);
  if (lone || root.reading.outcome?.() === undefined) {
    log.warn("no_calls", `${root.span.name} holds no call that was recorded in this trace`, root.span);
    return [];
  }
  log.warn(
    "run_as_step",
    `${root.span.name} records no call; its steps are read from what it gave`,
    root.span,
  );
  return [root];
}

function refuse(
  group: RunGroup,
  calls: readonly SpanNode[],
  code: string,
  why: string,
  log: ForeignTraceLog,
): undefined {
  const root = group.root ?? calls[0];
  log.warn(code, `${root?.span.name ?? group.traceId}: ${why}`, root?.span);
  for (const node of calls) node.use = "refused";
  if (group.root !== undefined) group.root.use = "refused";
  return undefined;
}

/**
 * One run as a trajectory, or undefined where it has no steps or its content was not captured: a
 * trajectory of empty states would look like one in which nothing helped.
 */
export function writeTrajectory(group: RunGroup, log: ForeignTraceLog): ForeignTrajectory | undefined {
  const calls = callsOf(group, log);
  if (calls.length === 0) return undefined;
  if (group.root === undefined && !calls.some(({ role }) => role === "model")) {
    return refuse(group, calls, "no_model_call", "calls without a run or a model call round them", log);
  }
  const { ordered, unclear } = orderCalls(calls.map((node) => ({ node, content: callContent(node) })));
  const question = questionOf(group, ordered);
  const plan = new RunPlan(taskEntry(question));
  for (const call of ordered) plan.add(call);
  if (group.root !== undefined && group.root !== calls[0]) planAnswer(plan, group.root);
  const { counts } = plan;
  const steps = stepsInCallOrder(plan.steps);
  const isTold = ({ captured, added, inserted }: PlannedStep): boolean =>
    captured &&
    (question !== "" ||
      [...added, ...inserted.map(({ entry }) => entry)].some(
        ({ text }) => text !== undefined && text !== "",
      ));
  const told = steps.some(isTold);
  if (!told) return refuse(group, calls, "no_content", "inputs and outputs were not captured", log);
  const made = new Set(steps.map(({ node }) => node));
  for (const node of calls) if (node !== group.root) node.use = made.has(node) ? "step" : "folded";
  const [first] = ordered;
  const rootSpan = (group.root ?? first!.node).span;
  const label = `${group.traceId}/${rootSpan.spanId}`;
  if (unclear > 0) log.warn("order_unclear", `${label}: ${unclear} calls wait for each other`, rootSpan);
  if (group.root === undefined) {
    log.warn("no_run", `${label}: no span round ${calls.length} calls; they are read as one run`, rootSpan);
  }
  if (question === "") log.warn("no_question", `${label}: nothing tells what the run was asked`, rootSpan);
  for (const step of steps) {
    if (!step.captured)
      log.warn("no_outcome", `${label}: nothing tells what ${step.type} brought`, step.node.span);
  }
  if (counts.edited > 0) {
    log.warn(
      "history_edited",
      `${label}: ${counts.edited} histories are no continuation of the one before`,
      rootSpan,
    );
  }
  if (counts.fromHistory > 0) {
    log.warn(
      "step_from_history",
      `${label}: ${counts.fromHistory} tool steps have no span of their own`,
      rootSpan,
    );
  }
  const convention = conventionOf(calls);
  const fidelity = fidelitySentence(convention, steps, counts);
  const writer = new StateWriter(plan.task);
  const written = writeSteps(steps, writer);
  const shown = writer.text(question, QUESTION_LIMIT);
  const trajectory: Trajectory = {
    schemaVersion: TRAJECTORY_SCHEMA,
    trajectoryId: `otel/${label}`,
    sourceAdapter: `otel/${convention}`,
    ...created((group.root ?? first!.node).span.startNanos),
    metadata: metadata(group, calls, { convention, fidelity }, writer),
    task: {
      taskId: `otel/${label}`,
      question: shown,
      taskType: "open_qa_candidate_set",
      goldVisibleToEvaluator: false,
      goldUsedOnlyForValidation: true,
      candidateSpace: { type: "candidate_set", candidates: [] },
    },
    ...statusOf(group.root),
    steps: written,
    redaction: writer.redaction,
  };
  return { trajectory, convention, fidelity };
}
