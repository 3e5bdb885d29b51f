import type { Command } from "commander";
import { EXIT, type Outcome } from "../exit-code.ts";
import { say, warn, type Io } from "../io.ts";
import { fileOption } from "../options.ts";
import { namedOutputs, type OutputFile } from "../report/refuse-overwriting.ts";
import { writeTextFile } from "../report/text-file.ts";
import type { GateResult } from "./evaluate-gate.ts";
import { junitXml } from "./junit.ts";
import { resultText } from "./result-text.ts";

/** Options of every command that gates can be put on. */
export interface GateOptions {
  gate?: string[];
  junit?: string;
  markdown?: string;
}

export function gateOptions(command: Command, example: string): Command {
  return command
    .option(
      "--gate <conditions...>",
      `conditions that must hold, for example '${example}'; exit 3 where one does not`,
    )
    .option("--junit <file>", "write the gates as JUnit XML, for CI services", fileOption)
    .option("--markdown <file>", "write a summary in Markdown, for CI pages", fileOption);
}

/** The files that gates write. */
export function gateFiles({ junit, markdown }: GateOptions): OutputFile[] {
  return namedOutputs({ "--junit": junit, "--markdown": markdown });
}

/** Says how the gates went, writes the files for CI, and sets the exit code. */
export async function finishGates(
  suite: string,
  results: readonly GateResult[],
  cautions: readonly string[],
  options: GateOptions,
  io: Io,
  outcome: Outcome,
  markdown: () => string,
): Promise<void> {
  for (const result of results) {
    if (result.passed) say(io, `gate ${resultText(result)}`);
    else warn(io, `gate ${resultText(result)}`);
  }
  if (options.junit !== undefined) await writeTextFile(options.junit, junitXml(suite, results, cautions));
  if (options.markdown !== undefined) await writeTextFile(options.markdown, markdown());
  if (results.some(({ passed }) => !passed)) outcome.exitCode = EXIT.gateFailed;
}
