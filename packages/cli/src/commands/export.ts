import { AsvError } from "@agent-step-value/sdk";
import { Command, Option } from "commander";
import type { Outcome } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { countOption, integerOption, recordsOption } from "../options.ts";
import { exportAsvEval } from "./export-asv-eval.ts";
import type { TelemetryOptions } from "./export-telemetry.ts";

type Format = "asv-eval" | "otlp" | "otlp-evaluations";

interface ExportOptions extends TelemetryOptions {
  as: Format;
  protocol?: string;
  baseline?: string;
  beliefs?: string;
  inlineLimit: number;
  states: "carried" | "digest";
  startTime?: number;
}

/** Options that only some formats know. */
const KNOWN_BY: Readonly<Record<string, readonly Format[]>> = {
  protocol: ["asv-eval", "otlp-evaluations"],
  baseline: ["otlp-evaluations"],
  beliefs: ["asv-eval"],
  endpoint: ["otlp", "otlp-evaluations"],
  encoding: ["otlp", "otlp-evaluations"],
  serviceName: ["otlp", "otlp-evaluations"],
  maxRequestBytes: ["otlp", "otlp-evaluations"],
  timeout: ["otlp", "otlp-evaluations"],
  inlineLimit: ["otlp"],
  states: ["otlp"],
  startTime: ["otlp"],
};

/** `asv export FILE...`: runs and their step values in the form of others. */
export function exportCommand(io: Io, outcome: Outcome): Command {
  return new Command("export")
    .description(
      "write measured runs in the form of another toolkit, or send them to an OpenTelemetry endpoint",
    )
    .argument("<files...>", "trajectory files and score files, in any order")
    .addOption(
      new Option(
        "--as <format>",
        "asv-eval: the Python toolkit's report files; otlp: runs as asv.* spans; otlp-evaluations: step values as gen_ai.evaluation.result records",
      )
        .choices(["asv-eval", "otlp", "otlp-evaluations"])
        .makeOptionMandatory(),
    )
    .option(
      "-o, --out <path>",
      "asv-eval: folder to write; otlp: file to write, - for standard output",
      recordsOption,
    )
    .option("--protocol <id>", "protocol id or name, where the score files hold several")
    .option(
      "--baseline <channel>",
      "otlp-evaluations: also each step's channel effect, its gain minus the one in this channel",
    )
    .option("--beliefs <file>", "belief fixture of the Python toolkit, joined by trajectory and step id")
    .option("--endpoint <url>", "send to this OTLP HTTP receiver, for example http://localhost:4318")
    .addOption(
      new Option(
        "--encoding <encoding>",
        "of the file: JSON lines, or protobuf with a length before each batch",
      )
        .choices(["json", "proto"])
        .default("json"),
    )
    .addOption(
      new Option("--states <how>", "whether state texts travel, or only their digests")
        .choices(["carried", "digest"])
        .default("carried"),
    )
    .addOption(
      new Option(
        "--inline-limit <n>",
        "longest state text on a span, in UTF-16 units; longer ones go as log records",
      )
        .argParser(integerOption)
        .default(16_384),
    )
    .addOption(
      new Option(
        "--start-time <time>",
        "begin of runs that do not say theirs, an ISO 8601 time; 1970 without it",
      ).argParser(timeOption),
    )
    .option("--service-name <name>", "service.name of what is exported", "agent-step-value")
    .addOption(
      new Option("--max-request-bytes <n>", "largest batch; a record beyond it goes alone")
        .argParser(countOption)
        .default(4_000_000),
    )
    .addOption(
      new Option("--timeout <ms>", "longest wait for a batch, with all attempts")
        .argParser(countOption)
        .default(30_000),
    )
    .action(async (files: string[], options: ExportOptions, command: Command) => {
      refuseForeignOptions(options.as, command);
      // Loaded when asked for: other commands need not wait for OpenTelemetry.
      if (options.as === "otlp") {
        const { exportOtlp } = await import("./export-otlp.ts");
        return exportOtlp(files, options, io, outcome);
      }
      if (options.as === "otlp-evaluations") {
        const { exportEvaluations } = await import("./export-evaluations.ts");
        return exportEvaluations(files, options, io, outcome);
      }
      const { out = "-" } = options;
      if (out === "-") throw new AsvError("invalid_argument", "--as asv-eval needs --out FOLDER.");
      return exportAsvEval(files, { ...options, out }, io, outcome);
    });
}

/** An option without effect would leave its user believing in one. */
function refuseForeignOptions(format: Format, command: Command): void {
  for (const [name, formats] of Object.entries(KNOWN_BY)) {
    if (command.getOptionValueSource(name) !== "cli" || formats.includes(format)) continue;
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new AsvError(
      "invalid_argument",
      `--${flag} has no meaning with --as ${format}; it belongs to ${formats.join(", ")}.`,
    );
  }
}

function timeOption(text: string): number {
  const time = Date.parse(text);
  if (!(time >= 0))
    throw new AsvError("invalid_argument", "--start-time must be an ISO 8601 time from 1970 on.");
  return time;
}
