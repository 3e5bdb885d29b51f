import { checkRationale, extractBuffer } from "../protocol/index.ts";
import { sha256Hex } from "../schema/index.ts";
import type { StateUnit } from "./enumerate-states.ts";
import type { RefusedBuffer, StateBuffer } from "./rationale-buffer.ts";
import type { ScoringPlanOptions } from "./score-options.ts";
import { swappedRecord } from "./state-records.ts";

/**
 * The buffer of a state that no call has to write: nothing, sentences of the state, or another
 * task's rationale. Of a protocol with a generated buffer it is empty.
 */
export function stateBuffer(
  { protocol, rationales }: Pick<ScoringPlanOptions, "protocol" | "rationales">,
  unit: StateUnit,
): StateBuffer | RefusedBuffer {
  const { buffer } = protocol;
  if (buffer.kind === "extractive") {
    return { text: extractBuffer(unit, buffer.maxTokens), flags: [], records: [] };
  }
  if (buffer.kind !== "swapped") return { text: "", flags: [], records: [] };
  const found = rationales?.pick(unit);
  if (found === undefined) {
    return {
      refused: `swapped: no other task has a rationale at position ${unit.position + 1} of its states`,
      records: [],
    };
  }
  const check = checkRationale({ ...found, candidates: unit.candidates });
  return {
    text: found.text,
    flags: check.flags,
    rationaleSha256: sha256Hex(found.text),
    records: [swappedRecord(unit, protocol.id, found, check)],
  };
}
