import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tally } from "../tally.ts";

/** JSON has no NaN: a number that is none is written as null there, and by its name in a table. */
export function checkNoNan(folders: readonly string[], printed: readonly string[], tally: Tally): void {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const read = (ending: string) =>
    files.filter((name) => name.endsWith(ending)).map((name) => readFileSync(name, "utf8"));
  const json = read(".json").map((text) => JSON.parse(text) as unknown);
  const lines = read(".jsonl").flatMap((text) =>
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown),
  );
  const tables = read(".csv");
  tally.check(
    "no number of any file or text is none",
    json.length > 0 &&
      lines.length > 0 &&
      tables.length > 0 &&
      ![...json, ...lines].some(holdsNull) &&
      !tables.some((text) => /(?:^|,)(?:NaN|-?Infinity|undefined|null)(?:,|$)/m.test(text)) &&
      !printed.some((text) => /\b(?:NaN|Infinity|undefined)\b/.test(text)),
    `${json.length} JSON files, ${lines.length} lines, ${tables.length} tables`,
  );
}

function holdsNull(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === "object" && Object.values(value).some(holdsNull);
}
