import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, type ReadableSpan, type SpanProcessor } from "@opentelemetry/sdk-trace-base";
import { memorySink, type JsonObject, type MemorySink } from "@agent-step-value/sdk/capture";
import { withASVCapture, type ASVCaptureOptions } from "./index.ts";
import type { AI, Major } from "./majors.test-support.ts";

/** Makes spans active where code asks for it, as a host's OpenTelemetry set-up does. */
export function useContextManager(): () => void {
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  return () => {
    context.disable();
    manager.disable();
  };
}

/** A real tracer provider that knows which spans have not ended. */
export class SpanBook implements SpanProcessor {
  readonly open = new Set<unknown>();
  readonly ended: ReadableSpan[] = [];
  readonly provider: BasicTracerProvider;

  constructor() {
    this.provider = new BasicTracerProvider({ spanProcessors: [this] });
  }

  onStart(span: unknown): void {
    this.open.add(span);
  }

  onEnd(span: ReadableSpan): void {
    this.open.delete(span);
    this.ended.push(span);
  }

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}

export interface Captured {
  readonly ai: AI;
  readonly sink: MemorySink;
  readonly spans: SpanBook;
}

/** The `ai` of a major, captured by a memory sink and as spans. */
export function captured(major: Pick<Major, "ai">, options: ASVCaptureOptions = {}): Captured {
  const sink = memorySink();
  const spans = new SpanBook();
  const ai = withASVCapture(major.ai as never, {
    sinks: [sink],
    tracerProvider: spans.provider,
    ...options,
  }) as AI;
  return { ai, sink, spans };
}

/** A captured step without what differs from run to run. */
export interface SeenStep {
  readonly type: unknown;
  readonly kind: unknown;
  readonly action: JsonObject;
  readonly status: unknown;
  readonly fidelity: unknown;
  readonly before: unknown;
  readonly after: unknown;
  readonly cost: JsonObject;
  readonly observation: unknown;
  readonly error: unknown;
  readonly discontinuity: unknown;
  readonly late: unknown;
  /** Blocks of the after-state, `kind name: text`. */
  readonly blocks: readonly string[] | undefined;
  readonly blocksBefore: readonly string[] | undefined;
}

export interface SeenTrajectory {
  readonly id: string;
  readonly open: JsonObject;
  readonly steps: readonly SeenStep[];
  readonly closed: unknown;
  readonly parent: unknown;
}

function blocksOf(state: unknown): readonly string[] | undefined {
  const { blocks } = (state ?? {}) as { blocks?: readonly { kind: string; name?: string; text: string }[] };
  return blocks?.map(({ kind, name, text }) => `${kind} ${name}: ${text}`);
}

function seenStep(record: JsonObject): SeenStep {
  const { latency_ms: _, ...cost } = record["cost"] as JsonObject;
  const action = record["action"] as JsonObject;
  return {
    type: action["type"],
    kind: record["kind"],
    action,
    status: record["status"],
    fidelity: record["fidelity"],
    before: record["before_sha256"],
    after: record["after_sha256"],
    cost,
    observation: record["observation"],
    error: record["error"],
    discontinuity: record["discontinuity"],
    late: record["late"],
    blocks: blocksOf(record["state_after"]),
    blocksBefore: blocksOf(record["state_before"]),
  };
}

/** The trajectories in a list of live records, in the order in which they opened. */
export function trajectoriesOf({ records }: MemorySink): SeenTrajectory[] {
  const ids = [...new Set(records.map((record) => record["trajectory_id"] as string))];
  return ids.map((id) => {
    const own = records.filter((record) => record["trajectory_id"] === id);
    const open = own.find((record) => record["record"] === "open")!;
    const closes = own.filter((record) => record["record"] === "close");
    return {
      id,
      open,
      steps: own.filter((record) => record["record"] === "step").map(seenStep),
      closed: closes.length > 1 ? "closed twice" : closes[0]?.["status"],
      parent: open["parent_trajectory_id"],
    };
  });
}

/** A trajectory as it must be on every major: without ids and times. */
export function normalised({ open, steps, closed, parent }: SeenTrajectory): unknown {
  const { actor } = open["metadata"] as { actor?: unknown };
  return {
    question: (open["task"] as JsonObject)["question"],
    actor,
    steps,
    closed,
    nested: parent !== undefined,
  };
}

/** True when every after-state is the before-state of the step that follows. */
export function chains({ steps }: SeenTrajectory): boolean {
  return steps.every((step, i) => i === 0 || (step.before === steps[i - 1]?.after && !step.discontinuity));
}

const ids =
  /^(id|callId|messageId|responseMessageId|approvalId|timestamp|headers|performance|stepTimeMs|durationMs|request)$/;

/** Everything a user sees of a result, without ids and times. */
export function visible(value: unknown): string {
  const text = JSON.stringify(value, (key, item: unknown) => {
    if (ids.test(key)) return undefined;
    if (typeof item === "bigint") return `${item}n`;
    if (item instanceof Error) return `${item.name}: ${item.message}`;
    return item;
  });
  // Ids that the SDK made up stand in texts too, such as a response's body.
  return text.replaceAll(/\b(aitxt|aiobj|call)-[A-Za-z0-9]{16,}/g, "$1-id");
}
