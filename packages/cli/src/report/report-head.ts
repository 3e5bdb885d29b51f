import {
  encodeSummary,
  PROVIDED_PROTOCOL,
  type IndexedProtocol,
  type JsonObject,
  type Summary,
} from "@agent-step-value/sdk";
import { cautionOf } from "../records/evaluators.ts";
import { printable } from "../terminal/table.ts";
import type { ReportHead } from "./terminal-report.ts";

/** Where the numbers come from and what is to be said of their evaluators. */
export function reportHead(summary: Summary, protocol: IndexedProtocol | undefined): ReportHead {
  return {
    protocol: protocol === undefined ? "the scores stored in the trajectories" : describe(protocol),
    cautions: summary.evaluatorKinds.flatMap((kind) => cautionOf(kind) ?? []),
  };
}

/** Names come from score files, which anybody may have written. */
function describe({ name = PROVIDED_PROTOCOL, protocolId, evaluatorKinds }: IndexedProtocol): string {
  const kinds = evaluatorKinds.map((kind) => printable(kind)).join(", ");
  return `${printable(name)} (${protocolId})${kinds === "" ? "" : `, evaluator ${kinds}`}`;
}

/** `summary.json`. */
export function summaryJson(summary: Summary, protocol: IndexedProtocol | undefined): JsonObject {
  return {
    ...encodeSummary(summary),
    cautions: [...reportHead(summary, protocol).cautions],
    ...(protocol?.protocol !== undefined && { protocol: protocol.protocol }),
    ...(protocol?.name !== undefined && { protocol_name: protocol.name }),
  };
}
