import { existsSync, statSync } from "node:fs";
import { asv } from "./asv-command.ts";

export interface Imported {
  readonly status: number;
  /** The import's own report. */
  readonly report: Readonly<Record<string, unknown>>;
  readonly stderr: string;
}

/** Imports OTLP files as a user does, into one ASV JSONL file. Files that were never written are left out. */
export async function importFiles(files: readonly string[], out: string): Promise<Imported> {
  const there = files.filter((file) => existsSync(file) && statSync(file).size > 0);
  const { status, stdout, stderr } = await asv("import", "otlp", ...there, "--out", out, "--json");
  return { status, stderr, report: stdout === "" ? {} : (JSON.parse(stdout) as Record<string, unknown>) };
}
