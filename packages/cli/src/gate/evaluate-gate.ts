import type { Interval, IntervalAbsence } from "@agent-step-value/sdk";
import type { Gate, GateOperator } from "./parse-gate.ts";

/** A number that a gate can hold, with its interval where it has one. */
export interface GateValue {
  /** Absent where there is nothing to measure. */
  value?: number | undefined;
  interval?: Interval | undefined;
  intervalAbsent?: IntervalAbsence | undefined;
}

/** What became of a gate. A number that is not there fails: nothing was shown to hold. */
export interface GateResult {
  gate: Gate;
  passed: boolean;
  /** The number that was compared; absent where there is none. */
  value?: number;
  /** Why there is no number. */
  absent?: string;
}

const holds: Readonly<Record<GateOperator, (value: number, bound: number) => boolean>> = {
  ">=": (value, bound) => value >= bound,
  "<=": (value, bound) => value <= bound,
  ">": (value, bound) => value > bound,
  "<": (value, bound) => value < bound,
  "==": (value, bound) => value === bound,
};

const noInterval: Readonly<Record<IntervalAbsence, string>> = {
  too_few_trajectories: "it has no interval: fewer than 5 trajectories",
  no_values: "it has no interval: no step has it",
  not_requested: "it has no interval: none was asked for",
};

/** Compares a gate with its number. */
export function evaluateGate(gate: Gate, found: GateValue | undefined): GateResult {
  if (found === undefined) return { gate, passed: false, absent: "no such part was measured" };
  const value = gate.end === undefined ? found.value : found.interval?.[gate.end];
  if (value !== undefined) return { gate, passed: holds[gate.operator](value, gate.bound), value };
  if (gate.end === undefined) return { gate, passed: false, absent: "no step has it" };
  return {
    gate,
    passed: false,
    absent: found.intervalAbsent === undefined ? "it has no interval" : noInterval[found.intervalAbsent],
  };
}
