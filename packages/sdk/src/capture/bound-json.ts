import { isJsonObject, type JsonObject, type JsonValue } from "../schema/index.ts";

/**
 * A JSON value cut to a number of characters of text: strings are cut with a note of how much went,
 * and once the limit is used up, the elements and fields that follow go. The value is not changed.
 */
export function boundJson(value: JsonValue, maxChars: number): JsonValue {
  const budget = { left: maxChars };
  return bound(value, budget);
}

function bound(value: JsonValue, budget: { left: number }): JsonValue {
  if (typeof value === "string") return cutText(value, budget);
  if (Array.isArray(value)) return boundList(value, budget);
  if (isJsonObject(value)) return boundObject(value, budget);
  budget.left -= 5;
  return value;
}

function cutText(text: string, budget: { left: number }): string {
  const room = Math.max(0, budget.left);
  budget.left -= text.length + 3;
  const kept = cutAt(text, room);
  return kept === text ? text : `${kept}[CUT:${text.length - kept.length}]`;
}

/** The first characters of a text; never half a surrogate pair, which UTF-8 cannot hold. */
export function cutAt(text: string, length: number): string {
  if (text.length <= length) return text;
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}

function boundList(list: readonly JsonValue[], budget: { left: number }): JsonValue[] {
  const kept: JsonValue[] = [];
  for (const item of list) {
    if (budget.left <= 0) {
      kept.push(`[CUT:${list.length - kept.length} more]`);
      break;
    }
    kept.push(bound(item, budget));
  }
  return kept;
}

function boundObject(object: JsonObject, budget: { left: number }): JsonObject {
  const kept: [string, JsonValue][] = [];
  for (const key of Object.keys(object)) {
    if (budget.left <= 0) {
      kept.push(["cut", `[CUT:${Object.keys(object).length - kept.length} more]`]);
      break;
    }
    budget.left -= key.length + 4;
    kept.push([key, bound(object[key]!, budget)]);
  }
  // Not by assignment: a key `__proto__` must stay a key.
  return Object.fromEntries(kept);
}
