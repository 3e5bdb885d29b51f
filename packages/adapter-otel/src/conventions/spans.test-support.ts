import type { AttributeValue, OtelEvent, OtelLog, OtelSpan } from "../spans/otel-span.ts";
import type { ForeignTraceLog } from "./foreign-trace.ts";
import { readForeignTrace, type ForeignTrajectory } from "./index.ts";

type Plain = { readonly [key: string]: unknown };

export function attributesOf(plain: Plain): ReadonlyMap<string, AttributeValue> {
  return new Map(Object.entries(plain).filter(([, value]) => value !== undefined)) as Map<
    string,
    AttributeValue
  >;
}

export interface SpanFields {
  readonly id: string;
  readonly parent?: string;
  readonly trace?: string;
  readonly name?: string;
  /** Milliseconds after the trace began. */
  readonly at?: number;
  readonly until?: number;
  readonly attributes?: Plain;
  readonly events?: readonly { readonly name: string; readonly attributes?: Plain; readonly at?: number }[];
  readonly error?: string;
  readonly scope?: string;
}

const EPOCH = 1_790_000_000_000_000_000n;

function nanos(ms: number): bigint {
  return EPOCH + BigInt(Math.round(ms * 1e6));
}

/** Hand-made spans in the order of reading. */
export function spansOf(...fields: readonly SpanFields[]): OtelSpan[] {
  return fields.map((field, order): OtelSpan => {
    const at = field.at ?? order * 10;
    const event = ({
      name,
      attributes,
      at: when = at,
    }: NonNullable<SpanFields["events"]>[number]): OtelEvent => ({
      name,
      timeNanos: nanos(when),
      attributes: attributesOf(attributes ?? {}),
    });
    return {
      traceId: field.trace ?? "t1",
      spanId: field.id,
      ...(field.parent !== undefined && { parentSpanId: field.parent }),
      name: field.name ?? field.id,
      startNanos: nanos(at),
      endNanos: nanos(field.until ?? at + 5),
      attributes: attributesOf(field.attributes ?? {}),
      events: (field.events ?? []).map(event),
      links: [],
      status: field.error === undefined ? { code: "unset" } : { code: "error", message: field.error },
      scope: { name: field.scope ?? "" },
      resource: new Map(),
      order,
      place: { source: "spans", line: order + 1 },
    };
  });
}

/** A hand-made log record of a span. */
export function logOf(
  spanId: string,
  eventName: string,
  fields: { body?: AttributeValue; attributes?: Plain; at?: number; trace?: string },
): OtelLog {
  return {
    traceId: fields.trace ?? "t1",
    spanId,
    eventName,
    timeNanos: nanos(fields.at ?? 0),
    body: fields.body,
    attributes: attributesOf(fields.attributes ?? {}),
    scope: { name: "" },
    resource: new Map(),
    order: 0,
    place: { source: "logs", line: 1 },
  };
}

export interface ReadResult {
  readonly trajectories: ForeignTrajectory[];
  readonly warnings: { readonly code: string; readonly message: string }[];
  /** Warnings by code. */
  readonly counts: { readonly [code: string]: number };
  /** `spanId` to how it was used. */
  readonly used: { readonly [spanId: string]: string };
}

export function read(
  spans: readonly OtelSpan[],
  logs: readonly OtelLog[] = [],
  options: { convention?: string } = {},
): ReadResult {
  const warnings: { code: string; message: string }[] = [];
  const used = new Map<string, string>();
  const told = new Set<OtelSpan>();
  const log: ForeignTraceLog = {
    warn: (code, message) => void warnings.push({ code, message }),
    used: (span, convention, as) => {
      if (told.has(span)) throw new Error(`${span.spanId} is told twice`);
      told.add(span);
      used.set(span.spanId, `${convention}:${as}`);
    },
  };
  const trajectories = readForeignTrace(spans, logs, options, log);
  const counts = new Map<string, number>();
  for (const { code } of warnings) counts.set(code, (counts.get(code) ?? 0) + 1);
  return {
    trajectories,
    warnings,
    counts: Object.fromEntries(counts),
    used: Object.fromEntries(used),
  };
}

type ReadBlock = { kind: string; name?: string; text: string };

function lines(state: unknown): string[] | undefined {
  if (state === undefined) return undefined;
  return (state as { blocks: ReadBlock[] }).blocks.map(
    ({ kind, name, text }) => `${kind}${name === undefined ? "" : ` ${name}`}: ${text}`,
  );
}

/** The after-state of a step, one line a block: `evidence search: found it`. */
export function after({ trajectory }: ForeignTrajectory, step: number): string[] | undefined {
  return lines(trajectory.steps[step]!.stateAfter);
}

export function before({ trajectory }: ForeignTrajectory, step: number): string[] | undefined {
  return lines(trajectory.steps[step]!.stateBefore);
}

/** What each step added: the blocks of its after-state that its before-state has not. */
export function gains(found: ForeignTrajectory): (string[] | undefined)[] {
  return found.trajectory.steps.map((_, step) => {
    const known = before(found, step) ?? [];
    return after(found, step)?.slice(known.length);
  });
}

export function types({ trajectory }: ForeignTrajectory): unknown[] {
  return trajectory.steps.map(({ action }) => action["type"]);
}

/** True where each before-state is the after-state of the step before it. */
export function chained({ trajectory }: ForeignTrajectory): boolean {
  return trajectory.steps.every(
    ({ stateBefore }, i, steps) => i === 0 || stateBefore === steps[i - 1]!.stateAfter,
  );
}
