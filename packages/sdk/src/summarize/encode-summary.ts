import type { JsonObject } from "../schema/index.ts";
import { encodeSnakeCase } from "./encode-snake-case.ts";
import type { Summary } from "./summary.ts";

/**
 * A summary as it stands in a file: keys in snake_case, absent fields left out. It is written and
 * never read back, so there is no decoder.
 */
export function encodeSummary(summary: Summary): JsonObject {
  return encodeSnakeCase(summary);
}
