import type { DiagnosedStep } from "../diagnose/index.ts";
import type { JsonValue } from "../schema/index.ts";
import type { AuditAxes } from "./audit-axes.ts";
import { byStepId, byTrajectory } from "./group-steps.ts";

/** A channel of an audit: a row of its tables. */
export interface AuditChannel {
  /** Unlike that of any other channel. */
  name: string;
  protocolId?: string;
  /** The protocol's settings as a score file holds them. */
  protocol?: JsonValue | undefined;
  /** Default: read from the protocol's settings. */
  axes?: AuditAxes;
  /** Diagnosed steps in any order; a channel may cover some transitions only. */
  steps: Iterable<DiagnosedStep>;
}

/** A channel with its steps by trajectory and step. */
export interface IndexedChannel {
  channel: AuditChannel;
  steps: Map<string, Map<string, DiagnosedStep>>;
}

/** @throws AsvError `conflicting_records` for a step that comes twice */
export function indexChannel(channel: AuditChannel): IndexedChannel {
  const steps = new Map<string, Map<string, DiagnosedStep>>();
  for (const [trajectoryId, own] of byTrajectory(channel.steps)) {
    steps.set(trajectoryId, byStepId(own, trajectoryId, channel.name));
  }
  return { channel, steps };
}
