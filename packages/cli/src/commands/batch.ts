import {
  AsvError,
  exportBatch,
  importBatch,
  isJsonObject,
  type BatchExport,
  type BatchImport,
  type JsonObject,
} from "@agent-step-value/sdk";
import { readLines } from "@agent-step-value/sdk/jsonl";
import { Command } from "commander";
import { EXIT, type Outcome } from "../exit-code.ts";
import { say, warn, type Io } from "../io.ts";
import { recordsOption } from "../options.ts";
import { createWarningLog, readRuns, type WarningLog } from "../records/read-input.ts";
import { addScoringPlanOptions, scoringPlan, type ScoringPlanArguments } from "../records/scoring-plan.ts";
import { writeRecords } from "../records/write-records.ts";
import { namedOutputs, refuseOverwriting } from "../report/refuse-overwriting.ts";

interface BatchOptions extends ScoringPlanArguments {
  out?: string;
  json?: boolean;
}

/** Requests a provider takes in one file; more are still written, and said. */
const USUAL_LIMIT = 50_000;
/** Failed rows that are printed one by one. */
const SHOWN = 10;

/** `asv batch export | import`: the calls of a scoring run as a provider's batch file, and back. */
export function batchCommand(io: Io, outcome: Outcome): Command {
  return new Command("batch")
    .description("score through a provider's batch files: cheaper and slower, with the same result")
    .addCommand(exportCommand(io))
    .addCommand(importCommand(io, outcome));
}

function exportCommand(io: Io): Command {
  const command = new Command("export")
    .description("write the calls that the cache cannot answer as a batch request file")
    .argument("<files...>", "trajectory files, - for standard input");
  return addScoringPlanOptions(command)
    .option("-o, --out <file>", "request file to write; standard output without it", recordsOption)
    .option("--json", "print the counts as JSON on standard output (needs --out)")
    .action(async (files: string[], options: BatchOptions) => {
      if (options.json === true && (options.out ?? "-") === "-") {
        throw new AsvError(
          "invalid_argument",
          "--json prints the counts on standard output; give --out FILE for the requests.",
        );
      }
      await refuseOverwriting(namedOutputs({ "--out": options.out }), files);
      const log = createWarningLog(io);
      const plan = await scoringPlan(options, log);
      try {
        let written: BatchExport | undefined;
        await writeRecords(options.out, async (write) => {
          const requests = exportBatch(readRuns(files, log), plan);
          for (;;) {
            const next = await requests.next();
            if (next.done === true) return void (written = next.value);
            await write(next.value as unknown as JsonObject);
          }
        });
        if (written === undefined) return;
        if (options.json === true) io.stdout.write(`${JSON.stringify(written)}\n`);
        else say(io, describeExport(written));
        const requests = written.rationales + written.scored;
        if (requests > USUAL_LIMIT)
          warn(io, `${requests} requests: providers take about ${USUAL_LIMIT} a file; split with --shard`);
      } finally {
        await plan.cache.close();
      }
    });
}

function describeExport({ rationales, scored, cached, waiting }: BatchExport): string {
  const already = cached === 0 ? "" : `, ${cached} replies already there`;
  if (rationales + scored === 0) return `nothing to ask${already}: score with asv score`;
  if (rationales === 0) return `last round: ${scored} scored requests${already}`;
  return (
    `first of two rounds: ${rationales} rationale requests, ${scored} scored requests${already}; ` +
    `${waiting} scored calls wait for the rationales: import these replies, then export again`
  );
}

function importCommand(io: Io, outcome: Outcome): Command {
  const command = new Command("import")
    .description("put the replies of batch output files into the cache, where asv score finds them")
    .argument(
      "<files...>",
      "the exported trajectory files and the provider's output and error files, in any order",
    );
  return addScoringPlanOptions(command)
    .option("--json", "print the counts as JSON on standard output")
    .action(async (files: string[], options: BatchOptions) => {
      const log = createWarningLog(io);
      const { runs, replies } = await sortBatchFiles(files, log);
      const plan = await scoringPlan(options, log);
      const failures: string[] = [];
      const [runLog, replyLog] = [toldOnce(log), toldOnce(log)];
      try {
        const found = await importBatch(
          () => readRuns(runs, runLog()),
          () => rowsOf(replies, replyLog()),
          {
            ...plan,
            onFailure: ({ customId, reason }) => failures.push(`${customId.slice(0, 12)}…: ${reason}`),
          },
        );
        for (const failure of failures.slice(0, SHOWN)) warn(io, failure);
        if (failures.length > SHOWN) warn(io, `${failures.length - SHOWN} more rows without a usable reply`);
        if (options.json === true) io.stdout.write(`${JSON.stringify(found)}\n`);
        else say(io, describeImport(found, options.cache));
        if (found.failed > 0 || found.missing > 0) outcome.exitCode = EXIT.partial;
      } finally {
        await plan.cache.close();
      }
    });
}

function describeImport(found: BatchImport, cache: string): string {
  const parts = [
    `${found.rationales} rationales and ${found.scored} scored replies of ${found.rows} rows -> ${cache}`,
  ];
  if (found.duplicates > 0) parts.push(`${found.duplicates} rows were there already`);
  if (found.unknown > 0) parts.push(`${found.unknown} rows answer no call of these runs and options`);
  if (found.failed > 0) parts.push(`${found.failed} failed`);
  if (found.missing > 0)
    parts.push(`${found.missing} calls have no reply yet: export again, or let asv score ask`);
  if (found.waiting > 0) parts.push(`${found.waiting} scored calls waited for rationales: export again`);
  return parts.join("; ");
}

/** Tells batch output from trajectories, whatever order they were given in. */
async function sortBatchFiles(
  files: readonly string[],
  log: WarningLog,
): Promise<{ runs: string[]; replies: string[] }> {
  const runs: string[] = [];
  const replies: string[] = [];
  for (const file of files) {
    if (file === "-")
      throw new AsvError("invalid_argument", "An import reads its files more than once; give files, not -.");
    ((await isBatchOutput(file, log)) ? replies : runs).push(file);
  }
  if (runs.length > 0 && replies.length > 0) return { runs, replies };
  const missing = runs.length === 0 ? "trajectories" : "batch output (lines with a custom_id)";
  throw new AsvError("invalid_argument", `None of the files holds ${missing}; an import needs both.`);
}

async function isBatchOutput(file: string, log: WarningLog): Promise<boolean> {
  for await (const { json } of readLines(file, silent(log)))
    return isJsonObject(json) && Object.hasOwn(json, "custom_id");
  return false;
}

/** A log for files that are read several times: what is wrong with them is told the first time. */
function toldOnce(log: WarningLog): () => WarningLog {
  let told = false;
  return () => {
    if (told) return silent(log);
    told = true;
    return log;
  };
}

function silent(log: WarningLog): WarningLog {
  return { ...log, onWarning: () => {}, finish: () => {} };
}

async function* rowsOf(files: readonly string[], log: WarningLog): AsyncGenerator<unknown> {
  for (const file of files) for await (const { json } of readLines(file, log)) yield json;
}
