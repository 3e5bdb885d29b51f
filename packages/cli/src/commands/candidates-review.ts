import { readFile, stat } from "node:fs/promises";
import {
  AsvError,
  decodeCandidateFileRecord,
  encodeCandidateFileRecord,
  readReview,
  renderReview,
  type CandidateSetRecord,
} from "@agent-step-value/sdk";
import { readRecords } from "@agent-step-value/sdk/jsonl";
import { Command } from "commander";
import { say, type Io } from "../io.ts";
import { goldOption, recordsOption } from "../options.ts";
import { createWarningLog } from "../records/read-input.ts";
import { writeRecords } from "../records/write-records.ts";
import { namedOutputs, refuseOverwriting } from "../report/refuse-overwriting.ts";
import { writeTextFile } from "../report/text-file.ts";

interface ReviewCommandOptions {
  reviewer?: string;
  apply?: string;
  out?: string;
  goldOut?: string;
}

/** `asv candidates review SETS --out FILE`, then `--apply FILE`: a person decides in a text editor. */
export function reviewCommand(io: Io): Command {
  return new Command("review")
    .description("write candidate sets as a text file for a person to edit, and read that file back")
    .argument("[files...]", "candidate-set files to review")
    .option("--reviewer <name>", "who will review; may be filled into the file instead")
    .option("--apply <file>", "a filled-in review file: gives frozen sets and their targets")
    .option(
      "-o, --out <file>",
      "review file, or with --apply the set file, to write; standard output without it",
      recordsOption,
    )
    .option("--gold-out <file>", "with --apply: file for the targets", goldOption)
    .action(async (files: string[], options: ReviewCommandOptions) => {
      if ((options.apply === undefined) === (files.length === 0)) {
        throw new AsvError("invalid_argument", "Give candidate-set files to review, or --apply FILE.");
      }
      const read = options.apply === undefined ? files : [options.apply];
      await refuseOverwriting(namedOutputs({ "--out": options.out, "--gold-out": options.goldOut }), read);
      if (options.apply === undefined) await writeReview(files, options, io);
      else await applyReview(options.apply, options, io);
    });
}

async function writeReview(
  files: readonly string[],
  { reviewer, out }: ReviewCommandOptions,
  io: Io,
): Promise<void> {
  const log = createWarningLog(io);
  const sets: CandidateSetRecord[] = [];
  for (const file of files) {
    for await (const record of readRecords(file, decodeCandidateFileRecord, log)) {
      if (record.record === "candidate_set") sets.push(record);
    }
  }
  const text = renderReview(sets, reviewer);
  if (out === undefined || out === "-") return void io.stdout.write(text);
  // A person may have spent an hour in it.
  if ((await stat(out).catch(() => undefined))?.isFile() === true) {
    throw new AsvError("invalid_argument", `${out} is there already; remove it, or name another file.`, {
      source: out,
    });
  }
  await writeTextFile(out, text);
  say(io, `wrote ${sets.length} sets to review -> ${out}`);
}

async function applyReview(file: string, { out, goldOut }: ReviewCommandOptions, io: Io): Promise<void> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code ?? "error";
    throw new AsvError("unreadable_source", `${file}: cannot be read (${code}).`, { source: file }, error);
  });
  const { sets, gold, dropped } = readReview(text, { source: file, reviewedAt: new Date().toISOString() });
  if (gold.length > 0 && goldOut === undefined) {
    throw new AsvError(
      "invalid_argument",
      "The review chooses targets, which never stand in the sets' own file: give --gold-out FILE.",
    );
  }
  await writeRecords(out, async (write) => {
    for (const set of sets) await write(encodeCandidateFileRecord(set));
  });
  if (goldOut !== undefined) {
    await writeRecords(goldOut, async (write) => {
      for (const target of gold) await write(encodeCandidateFileRecord(target));
    });
  }
  say(io, `accepted ${sets.length} sets, dropped ${dropped}, ${gold.length} targets`);
}
