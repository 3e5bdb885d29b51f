import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import {
  AsvError,
  importAsvV1,
  importers,
  importFormat,
  importPubmedqa,
  importReact,
  importWhoAndWhen,
  type ImportFormat,
  type ImportLine,
  type ImportReport,
  type ImportRun,
  type RunAnswer,
} from "@agent-step-value/sdk";
import { readLines } from "@agent-step-value/sdk/jsonl";
import { Command, Option } from "commander";
import type { Outcome } from "../exit-code.ts";
import { say, warn, type Io } from "../io.ts";
import { integerOption, recordsOption } from "../options.ts";
import { readDocuments } from "../records/read-documents.ts";
import { createWarningLog, readRuns, type WarningLog } from "../records/read-input.ts";
import { trajectoryRecords } from "../records/trajectory-records.ts";
import { writeRecords } from "../records/write-records.ts";
import { namedOutputs, refuseOverwriting } from "../report/refuse-overwriting.ts";
import { checkImportOptions, distinctFiles } from "./import-arguments.ts";
import { importOtlpFiles } from "./import-otlp.ts";

interface ImportOptions {
  out?: string;
  json?: boolean;
  answers?: string;
  seed: number;
  question?: string;
  trajectoryId?: string;
  longAnswer?: boolean;
  foreign?: boolean;
  shuffle?: boolean;
  states?: string[];
  convention?: string;
}

/** `asv import FORMAT FILE...`: foreign logs become trajectories. */
export function importCommand(io: Io, outcome: Outcome): Command {
  return new Command("import")
    .description("turn logs of another format into trajectories (asv.v1)")
    .argument("<format>", `one of ${Object.keys(importers).join(", ")}, otlp`)
    .argument("<files...>", "files to read, - for standard input")
    .option("-o, --out <file>", "file to write; standard output without it", recordsOption)
    .option("--json", "print the import report as JSON on standard output (needs --out)")
    .option("--answers <file>", "who-and-when: the runs' own answers, JSONL")
    .addOption(
      new Option("--seed <n>", "seed of drawn candidates and controls").argParser(integerOption).default(0),
    )
    .option(
      "--question <text>",
      "the task's question: needed by react, elsewhere in place of what the log says",
    )
    .option("--trajectory-id <id>", "react: id of the run; the file's name without it")
    .option("--long-answer", "pubmedqa: add the conclusion as a last step (positive control)")
    .option("--foreign", "pubmedqa: add another question's abstract (negative control)")
    .option("--shuffle", "pubmedqa: sections in random order (invariance control)")
    .option(
      "--states <file>",
      "otlp: the capture's own JSONL, for spans that carry only digests; may be repeated",
      (file: string, files?: string[]) => [...(files ?? []), file],
    )
    .option("--convention <name>", "otlp: read other instrumentations' spans by this convention only")
    .action(async (format: string, files: string[], options: ImportOptions) => {
      if (options.json && (options.out ?? "-") === "-") {
        throw new AsvError(
          "invalid_argument",
          "--json prints the report on standard output; give --out FILE for the records.",
        );
      }
      const known = format === "otlp" ? format : knownFormat(format);
      checkImportOptions(known, options);
      const beside = [options.answers, ...(options.states ?? [])].filter((file) => file !== undefined);
      await refuseOverwriting(namedOutputs({ "--out": options.out }), [...files, ...beside]);
      if (known === "otlp") return importOtlpFiles(files, options, io, outcome);
      const log = createWarningLog(io);
      const onWarning = (message: string): void => warn(io, message);
      const run = await open(known, await distinctFiles(files, onWarning), options, log, onWarning);
      await writeRecords(options.out, async (write) => {
        for await (const trajectory of run) {
          for (const record of trajectoryRecords(trajectory)) await write(record);
        }
        if (run.report.trajectories > 0) return;
        tell(run.report, undefined, io); // says why nothing came of it
        throw nothingIn(run.report, files);
      });
      log.finish();
      if (options.json) io.stdout.write(`${JSON.stringify(run.report)}\n`);
      else tell(run.report, options.out, io);
    });
}

async function open(
  format: ImportFormat,
  files: readonly string[],
  options: ImportOptions,
  log: WarningLog,
  onRepair: (message: string) => void,
): Promise<ImportRun> {
  switch (format) {
    case "asv-v1":
      return importAsvV1(readRuns(files, log));
    case "who-and-when":
      return importWhoAndWhen(lines(files, log), {
        answers: await answersOf(options.answers, log),
        seed: options.seed,
      });
    case "pubmedqa":
      return importPubmedqa(lines(files, log), {
        longAnswer: options.longAnswer ?? false,
        foreign: options.foreign ?? false,
        shuffleSections: options.shuffle ?? false,
        seed: options.seed,
      });
    case "react":
      return openReact(files, options);
    case "inspect":
      return importers.inspect.run(readDocuments(files, log, { onRepair }));
    default:
      return importers[format].run(readDocuments(files, log, { onRepair }), questionOf(options));
  }
}

function questionOf({ question }: ImportOptions): { question?: string } {
  return question === undefined ? {} : { question };
}

async function openReact(files: readonly string[], options: ImportOptions): Promise<ImportRun> {
  const [file] = files;
  if (files.length !== 1 || file === undefined) {
    throw new AsvError(
      "invalid_argument",
      `react reads one run a file, got ${files.length} files; import them one by one.`,
    );
  }
  if (options.question === undefined) {
    throw new AsvError("invalid_argument", "react needs the task: --question TEXT.");
  }
  return importReact(await textOf(file), {
    question: options.question,
    trajectoryId: options.trajectoryId ?? (file === "-" ? "run" : basename(file).replace(/\.[^.]+$/, "")),
  });
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file === "-" ? "/dev/stdin" : file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "error";
    throw new AsvError(
      "unreadable_source",
      `${file}: cannot be read (${code}); give the path of a text file.`,
      { source: file },
      error,
    );
  }
}

async function* lines(files: readonly string[], log: WarningLog): AsyncGenerator<ImportLine> {
  for (const file of files) yield* readLines(file, log);
}

async function answersOf(file: string | undefined, log: WarningLog): Promise<RunAnswer[]> {
  const answers: RunAnswer[] = [];
  if (file === undefined) return answers;
  for await (const { json } of readLines(file, log)) answers.push(json as RunAnswer);
  return answers;
}

/** The SDK lists its own importers; that of traces is beside it. */
function knownFormat(format: string): ImportFormat {
  try {
    return importFormat(format);
  } catch (error) {
    if (!AsvError.isInstance(error)) throw error;
    throw new AsvError(error.code, error.message.replace(/\.$/, ", otlp."), error.fields, error);
  }
}

/** As with OTLP: an input without a run is a wrong or an empty file, and what stood at --out stays. */
function nothingIn({ format, records }: ImportReport, files: readonly string[]): AsvError {
  const message = `there is no trajectory in ${files.length} file(s), which hold ${records} ${format} records. Check that they are what was meant.`;
  return new AsvError("unreadable_source", message);
}

function tell(report: ImportReport, out: string | undefined, io: Io): void {
  const labels = report.labels > 0 ? `, ${report.labels} human step labels` : "";
  const where = out === undefined || out === "-" ? "" : ` -> ${out}`;
  say(
    io,
    `imported ${report.trajectories} trajectories, ${report.steps} steps${labels} from ${report.records} ${report.format} records${where}`,
  );
  const fidelity = Object.entries(report.fidelity).map(([word, count]) => `${count} ${word}`);
  if (fidelity.length > 0) say(io, `states: ${fidelity.join(", ")}`);
  for (const [code, count] of Object.entries(report.warningCounts)) {
    const first = report.warnings.find((warning) => warning.code === code);
    warn(io, `${code} (${count}): ${first?.message ?? ""}`);
  }
}
