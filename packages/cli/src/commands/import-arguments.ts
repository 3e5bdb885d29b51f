import { realpath } from "node:fs/promises";
import { AsvError } from "@agent-step-value/sdk";

/** Options that only some formats know, and which. */
const OPTION_OF: Readonly<Record<string, readonly string[]>> = {
  answers: ["who-and-when"],
  question: ["react", "langfuse", "swe-agent", "tau-bench", "tau2", "atif"],
  trajectoryId: ["react"],
  longAnswer: ["pubmedqa"],
  foreign: ["pubmedqa"],
  shuffle: ["pubmedqa"],
  states: ["otlp"],
  convention: ["otlp"],
};

/**
 * Refuses an option that the format would pass over in silence.
 *
 * @throws AsvError `invalid_argument`
 */
export function checkImportOptions(format: string, options: object): void {
  for (const [option, formats] of Object.entries(OPTION_OF)) {
    const given = (options as Readonly<Record<string, unknown>>)[option];
    if (given === undefined || formats.includes(format)) continue;
    const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const problem = `${flag} is for ${formats.join(", ")}; ${format} does not use it, so leave it out.`;
    throw new AsvError("invalid_argument", problem, { option: flag, format });
  }
}

/** The files, each once however often and by whatever path it is named: a run read twice would count twice. */
export async function distinctFiles(
  files: readonly string[],
  onRepeat: (message: string) => void,
): Promise<string[]> {
  const seen = new Set<string>();
  const distinct: string[] = [];
  for (const file of files) {
    // One that is not there is told by whoever opens it.
    const real = file === "-" ? file : await realpath(file).catch(() => file);
    if (seen.has(real)) onRepeat(`${file} is named twice and read once`);
    else distinct.push(file);
    seen.add(real);
  }
  return distinct;
}
