import { AsvError, probeEvaluator, type Evaluator, type ProbeReport } from "@agent-step-value/sdk";
import { Command } from "commander";
import { EXIT, type Outcome } from "../exit-code.ts";
import { say, type Io } from "../io.ts";
import { fileOption } from "../options.ts";
import { createEvaluator, isRemote } from "../records/evaluators.ts";
import { createInterrupt } from "../records/interrupt.ts";
import { addModelCallOptions, loadModelEvaluators, type ModelCallOptions } from "../records/model-options.ts";
import { writeTextFile } from "../report/text-file.ts";
import { printable } from "../terminal/table.ts";

interface ProbeCommandOptions extends ModelCallOptions {
  evaluator: string;
  out?: string;
  json?: boolean;
}

/** Temperatures a probe compares. */
const TEMPERATURES = [0, 2] as const;
/** Servers whose models answer under a name of their own: a deployment's model, a file. */
const RENAMING: ReadonlySet<string> = new Set(["azure", "llama-cpp-server"]);

/** `asv probe`: asks an evaluator's endpoint what it can do, before money is spent on scores. */
export function probeCommand(io: Io, outcome: Outcome): Command {
  const command = new Command("probe")
    .description("ask a model's endpoint what it can do, in eight calls; asv score reads what it finds")
    .option("--evaluator <name>", "what would score: openai or decisions", "openai");
  return addModelCallOptions(command)
    .option("-o, --out <file>", "capability file to write, for asv score --capabilities", fileOption)
    .option("--json", "print the capability report as JSON")
    .action(async (options: ProbeCommandOptions) => {
      const report = await probed(options, io);
      const json = `${JSON.stringify(report, undefined, 2)}\n`;
      if (options.out !== undefined) await writeTextFile(options.out, json);
      io.stdout.write(options.json === true ? json : describeProbe(report));
      if (!report.ok) outcome.exitCode = EXIT.gateFailed;
    });
}

async function probed(options: ProbeCommandOptions, io: Io): Promise<ProbeReport> {
  const { evaluator: name } = options;
  if (!isRemote(name)) {
    throw new AsvError(
      "invalid_argument",
      `Evaluator ${name} calls no server, so there is nothing to probe.`,
    );
  }
  const { capabilities: _old, ignoreProbe: _ignored, ...shape } = options;
  const onWait = ({ ms, reason }: { ms: number; reason: string }) =>
    say(io, `waiting ${Math.round(ms / 1000)} s: ${printable(reason, 200)}`);
  const make = (change: ModelCallOptions = {}) => createEvaluator(name, { ...shape, ...change, onWait });
  const evaluator = await make();
  const others = new Map<number, Evaluator>();
  const shaped = evaluator.capabilities.usesLabels;
  if (shaped) for (const temperature of TEMPERATURES) others.set(temperature, await make({ temperature }));
  const { findProvider } = await loadModelEvaluators();
  const preset = findProvider(options.preset, options.baseUrl).preset.name;
  const interrupt = createInterrupt();
  try {
    return await probeEvaluator(evaluator, {
      preset,
      renamesModels: RENAMING.has(preset),
      signal: interrupt.signal,
      ...(shaped && { atTemperature: (temperature) => others.get(temperature)! }),
    });
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    throw new AsvError("interrupted", "The probe was interrupted; nothing was written.", {}, error);
  } finally {
    interrupt.release();
  }
}

function describeProbe({ model, endpoint, preset, checks, ok, calls, ...found }: ProbeReport): string {
  const lines = checks.map(
    ({ name, ok: fit, detail }) =>
      `  ${fit ? "ok  " : "FAIL"}  ${name.padEnd(16)}  ${printable(detail, 400)}`,
  );
  if (found.label_mass !== undefined) lines.push(`  label mass at least ${found.label_mass}`);
  if (found.right_answers !== undefined) {
    lines.push(
      `  ${found.right_answers.right} of ${found.right_answers.asked} easy questions answered as the state says`,
    );
  }
  const verdict = ok ? "fit to score" : "not fit to score";
  return `${printable(model)} at ${printable(endpoint)} (preset ${preset}), ${calls} calls: ${verdict}\n${lines.join("\n")}\n`;
}
