import type { GateResult } from "./evaluate-gate.ts";

/** What became of a gate, in words. The number is unrounded: a gate can fail by little. */
export function resultText({ gate, passed, value, absent }: GateResult): string {
  if (value === undefined) return `${gate.text}: failed, there is no number (${absent ?? "absent"})`;
  return `${gate.text}: ${passed ? "passed" : "failed"} with ${value}`;
}
