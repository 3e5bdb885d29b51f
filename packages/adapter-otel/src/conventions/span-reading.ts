import type { OtelLog, OtelSpan } from "../spans/otel-span.ts";
import type { Piece } from "./messages/piece.ts";

/**
 * What a span stands for.
 *
 * | role | span |
 * | --- | --- |
 * | `run` | an agent's or workflow's whole run, or a nested agent's |
 * | `model`, `tool`, `retrieval` | one call |
 * | `node` | any other unit of work: a graph's node, a chain, a task; a step only where no call is inside |
 * | `plumbing` | says nothing about the run's state |
 * | `evaluation` | somebody's verdict on the run, which may carry the target; nothing under it is read |
 */
export type SpanRole = "run" | "model" | "tool" | "retrieval" | "node" | "plumbing" | "evaluation";

/** Tokens one model call used; what the source does not say is absent. */
export interface CallUsage {
  readonly prompt?: number;
  readonly completion?: number;
}

/** What one span says, read by its convention. What the span does not hold is absent, never empty. */
export interface SpanReading {
  readonly role: SpanRole;
  /** Name of the tool, node, retriever or agent. */
  readonly name: string;
  /** Model as the response names it, else as it was asked for. */
  readonly model?: string;
  /** Node of a graph the span ran in. */
  readonly node?: string;
  /** Conversation the run belongs to; several runs may share it. */
  readonly session?: string;
  /** Model calls: all they were given, in order. */
  readonly input?: readonly Piece[];
  /** Model calls: what they gave. */
  readonly output?: readonly Piece[];
  /** Tools: id of the call. */
  readonly callId?: string;
  /** Tools and retrievals: what they were asked. */
  readonly args?: string;
  /** Tools: what came back. */
  readonly result?: string;
  /** True where the call did not succeed. */
  readonly failed?: boolean;
  /** What the failure said. */
  readonly failure?: string;
  readonly usage?: CallUsage;
  /** Nodes and retrievals: what they added. Read only where it is needed: a graph's spans hold whole states. */
  readonly outcome?: () => readonly Piece[] | undefined;
  /** Nodes: the same span read as a tool, for tracers that know no kind for tools. */
  readonly asTool?: () => SpanReading | undefined;
  /** Runs and nodes: what they were asked. */
  readonly question?: () => string | undefined;
  /** Runs whose convention records every call in a span of its own: without one, its calls are elsewhere. */
  readonly wrapsCalls?: boolean;
}

/** A way of writing agent runs as spans. It classifies and reads one span; everything else is shared. */
export interface Convention {
  /** As `--convention` and the report name it. */
  readonly name: string;
  owns(span: OtelSpan): boolean;
  /** @param logs log records that belong to the span */
  read(span: OtelSpan, logs: readonly OtelLog[]): SpanReading;
}
