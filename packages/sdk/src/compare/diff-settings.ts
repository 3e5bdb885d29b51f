import { canonicalJson, isJsonObject, type JsonValue } from "../schema/index.ts";
import type { ProtocolFieldDifference } from "./channel-comparison.ts";

/** Every setting in which two protocols differ, as they stand in score files, in path order. */
export function diffSettings(a: JsonValue, b: JsonValue): ProtocolFieldDifference[] {
  return diff("", a, b);
}

/**
 * The parts of ρ = (Φ, E, R, Π, Ψ, N) that differ, each once: `projection`, `evaluator`, `buffer`,
 * `mappings`, `template`, `normalisation`.
 */
export function changedElements(differences: readonly ProtocolFieldDifference[]): string[] {
  return [...new Set(differences.map(({ path }) => path.split(".")[0]!))];
}

function diff(path: string, a: JsonValue | undefined, b: JsonValue | undefined): ProtocolFieldDifference[] {
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
    return keys.flatMap((key) => diff(path === "" ? key : `${path}.${key}`, own(a, key), own(b, key)));
  }
  if (a === undefined && b === undefined) return [];
  if (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b)) return [];
  return [{ path, ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }) }];
}

function own(object: Record<string, JsonValue>, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
