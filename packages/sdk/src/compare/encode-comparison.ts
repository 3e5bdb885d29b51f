import type { JsonObject } from "../schema/index.ts";
import { encodeSnakeCase } from "../summarize/encode-snake-case.ts";
import type { AttributionAudit } from "./attribution-audit.ts";
import type { ChannelComparison, ProtocolFieldDifference } from "./channel-comparison.ts";

/**
 * A comparison as it stands in a file: keys in snake_case, absent fields left out. It is written and never
 * read back, so there is no decoder.
 */
export function encodeComparison(comparison: ChannelComparison): JsonObject {
  const { differences, ...rest } = comparison;
  return { ...encodeSnakeCase(rest), ...encodeDifferences(differences) };
}

/** An audit as it stands in a file, like {@link encodeComparison}. */
export function encodeAudit(audit: AttributionAudit): JsonObject {
  const { tables, ...rest } = audit;
  return {
    ...encodeSnakeCase(rest),
    tables: tables.map(({ rows, ...table }) => ({
      ...encodeSnakeCase(table),
      rows: rows.map(({ differences, ...row }) => ({
        ...encodeSnakeCase(row),
        ...encodeDifferences(differences),
      })),
    })),
  };
}

/** Values of settings are an evaluator's own words and keep their keys. */
function encodeDifferences(differences: readonly ProtocolFieldDifference[] | undefined): JsonObject {
  if (differences === undefined) return {};
  return {
    differences: differences.map(({ path, a, b }) => ({
      path,
      ...(a === undefined ? {} : { a }),
      ...(b === undefined ? {} : { b }),
    })),
  };
}
