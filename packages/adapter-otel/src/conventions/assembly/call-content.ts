import type { Piece } from "../messages/piece.ts";
import type { CallUsage, SpanReading } from "../span-reading.ts";
import type { SpanNode } from "./span-node.ts";

/** What is known of a call from all spans that recorded it. */
export interface CallContent {
  readonly input: readonly Piece[] | undefined;
  readonly output: readonly Piece[] | undefined;
  readonly args: string | undefined;
  readonly result: string | undefined;
  readonly callId: string | undefined;
  readonly model: string | undefined;
  readonly failed: boolean;
  readonly failure: string | undefined;
  readonly usage: CallUsage | undefined;
}

/**
 * A call's content: what its own span has, else what a folded one has. Tokens are those of the innermost
 * span: the ones around it repeat or sum them.
 */
export function callContent(node: SpanNode): CallContent {
  return contentOf([node.reading, ...node.doubles.map(({ reading }) => reading)]);
}

/** The same of readings, outermost first. */
export function contentOf(readings: readonly SpanReading[]): CallContent {
  const first = <K extends "input" | "output" | "args" | "result" | "callId" | "model" | "failure">(key: K) =>
    readings.find((reading) => reading[key] !== undefined)?.[key];
  return {
    input: first("input"),
    output: first("output"),
    args: first("args"),
    result: first("result"),
    callId: first("callId"),
    model: first("model"),
    failed: readings[0]?.failed === true,
    failure: first("failure"),
    usage: readings.findLast((reading) => reading.usage !== undefined)?.usage,
  };
}
