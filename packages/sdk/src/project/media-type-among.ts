import { readMediaType } from "./bytes/index.ts";
import type { Field } from "./read-fields.ts";

/** The media type a field declares for the bytes beside it. */
export function mediaTypeAmong(fields: readonly Field[]): string | undefined {
  for (const { key, value } of fields) {
    const isNamed = key.length <= 12 && /^(?:media|mime|content)[-_]?type$/i.test(key);
    const type = isNamed ? readMediaType(value) : undefined;
    if (type !== undefined) return type;
  }
  return undefined;
}
