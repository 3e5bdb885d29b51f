import type { JsonObject } from "@agent-step-value/sdk";
import { openJsonlWriter } from "@agent-step-value/sdk/jsonl";
import { openUnfinished } from "./unfinished-outputs.ts";

/**
 * Runs a producer into `--out FILE`, or standard output without it. The file appears whole or not at
 * all; a failure leaves what was there before.
 */
export async function writeRecords(
  out: string | undefined,
  produce: (write: (record: JsonObject) => Promise<void>) => Promise<void>,
): Promise<void> {
  const writer = await openUnfinished(() => openJsonlWriter(out ?? "-"));
  try {
    await produce((record) => writer.write(record));
    await writer.commit();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}
