import { AsvError } from "../../errors/index.ts";
import type { QualityFlag } from "../../schema/index.ts";

/** A reply came, but no score can be read from it. `fields.flag` says why, in the closed list's word. */
export function unusable(problem: string, flag: QualityFlag = "invalid_response"): AsvError {
  return new AsvError("evaluator_failed", `The evaluator's reply cannot be used: ${problem}.`, { flag });
}
