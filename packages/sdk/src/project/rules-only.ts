import { resolvePolicy, type ResolvedPolicy } from "./projection-policy.ts";

let resolved: ResolvedPolicy | undefined;

/**
 * The default rules without a size bound, for stored states whose size a protocol bounds later. Compiled
 * on first use: most programs that load this package never project a stored state.
 */
export function rulesOnly(): ResolvedPolicy {
  return (resolved ??= resolvePolicy({ maxChars: 1_000_000_000 }));
}
