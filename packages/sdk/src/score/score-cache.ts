import type { JsonValue } from "../schema/index.ts";

/**
 * Where replies are kept between runs, by content address: the key is the SHA-256 of what was sent,
 * so a value never goes stale. Several runs may share one.
 */
export interface ScoreCache {
  get(key: string): Promise<JsonValue | undefined>;
  put(key: string, value: JsonValue): Promise<void>;
  close(): Promise<void>;
}

/** A cache that lives and dies with the process. */
export function memoryCache(): ScoreCache {
  const values = new Map<string, JsonValue>();
  return {
    get: async (key) => structuredClone(values.get(key)),
    put: async (key, value) => {
      if (!values.has(key)) values.set(key, structuredClone(value));
    },
    close: async () => {},
  };
}
