import { readFile } from "node:fs/promises";
import { AsvError, isJsonObject, showValue, type PriceTable } from "@agent-step-value/sdk";

const fields = ["promptPerMillion", "completionPerMillion", "cachedPromptPerMillion"] as const;

/** A user's price table: USD per million tokens. No price is built in, since prices change. */
export async function readPrices(file: string): Promise<PriceTable> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new AsvError(
      "unreadable_source",
      `${file}: is no readable JSON file; a price table is {"promptPerMillion": …, "completionPerMillion": …}.`,
      { source: file },
      error,
    );
  }
  const prices: Partial<Record<(typeof fields)[number], number>> = {};
  for (const [name, value] of Object.entries(isJsonObject(json) ? json : {})) {
    const field = fields.find((known) => known === name);
    if (field === undefined || typeof value !== "number") {
      throw new AsvError(
        "invalid_argument",
        `${file}: ${showValue(name)} is no price; use ${fields.join(", ")} with numbers.`,
      );
    }
    prices[field] = value;
  }
  const { promptPerMillion, completionPerMillion } = prices;
  if (promptPerMillion === undefined || completionPerMillion === undefined) {
    throw new AsvError(
      "invalid_argument",
      `${file}: a price table needs promptPerMillion and completionPerMillion.`,
    );
  }
  return { ...prices, promptPerMillion, completionPerMillion };
}
