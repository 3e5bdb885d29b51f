import { readFile } from "node:fs/promises";
import {
  applyCueVerdicts,
  AsvError,
  decodeCueRow,
  encodeCueRow,
  readCueVerdicts,
  summarizeCues,
  type CueRow,
  type CueSummary,
} from "@agent-step-value/sdk";
import { readRecords } from "@agent-step-value/sdk/jsonl";
import { Command } from "commander";
import { say, warn, type Io } from "../io.ts";
import { fileOption } from "../options.ts";
import { createWarningLog, type WarningLog } from "../records/read-input.ts";
import { writeRecords } from "../records/write-records.ts";
import { namedOutputs, refuseOverwriting } from "../report/refuse-overwriting.ts";
import { percent } from "../terminal/number.ts";
import { renderTable } from "../terminal/table.ts";

interface CuesOptions {
  verdicts?: string[];
  out?: string;
  json?: boolean;
}

/** `asv cues LIST`: verdicts of people on an audit's cue-retention work list. */
export function cuesCommand(io: Io): Command {
  return new Command("cues")
    .description("bring verdicts back to a cue-retention work list, and count them")
    .argument("<list>", "cues.jsonl of asv audit --cues")
    .option("--verdicts <files...>", "the list filled in by a person, CSV or JSONL")
    .option("-o, --out <file>", "write the list with its verdicts there", fileOption)
    .option("--json", "print the counts as JSON instead of text")
    .action(async (file: string, options: CuesOptions) => {
      await refuseOverwriting(namedOutputs({ "--out": options.out }), options.verdicts ?? []);
      const log = createWarningLog(io);
      let rows = await readList(file, log);
      for (const filled of options.verdicts ?? []) {
        const { judgements, blank } = readCueVerdicts(await textOf(filled), filled);
        rows = applyCueVerdicts(rows, judgements).rows;
        if (blank.length > 0) warn(io, `${filled}: ${blank.length} rows have no verdict yet`);
      }
      const summary = summarizeCues(rows);
      if (options.out !== undefined) {
        await writeRecords(options.out, async (write) => {
          for (const row of rows) await write(encodeCueRow(row));
        });
        say(io, `wrote ${options.out}, ${summary.judged} of ${summary.rows} rows with a verdict`);
      }
      // Last: a reader that goes away ends the program, and must not take the file along.
      if (options.json) io.stdout.write(`${JSON.stringify(summaryJson(summary))}\n`);
      else io.stdout.write(summaryText(summary));
    });
}

async function readList(file: string, log: WarningLog): Promise<CueRow[]> {
  const rows: CueRow[] = [];
  for await (const row of readRecords(file, decodeCueRow, log)) rows.push(row);
  log.finish();
  return rows;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "error";
    throw new AsvError(
      "unreadable_source",
      `${file}: cannot be read (${code}); give the path of a CSV or JSONL file.`,
      { source: file },
      error,
    );
  }
}

function summaryText({ rows, judged, verdicts, target, competitor }: CueSummary): string {
  const given = verdicts.filter(({ count }) => count > 0);
  const lines = [
    `${judged} of ${rows} transitions have a verdict of a person`,
    ...(given.length === 0
      ? []
      : [
          renderTable(
            [
              { title: "verdict", cell: ({ verdict }) => verdict },
              { title: "transitions", align: "right", cell: ({ count }) => String(count) },
              { title: "share of judged", align: "right", cell: ({ rate }) => percent(rate) },
            ],
            given,
          ),
        ]),
    "words found, which are no verdict:",
    `  of the target in the after-state ${target.inAfterState}, lost by the step ${target.lostInState}, ` +
      `kept in the buffer ${target.keptInBuffer}, lost in the buffer ${target.lostInBuffer} (retention ${percent(target.retention)})`,
    `  of the competitor brought in by the step ${competitor.newInState}, by the buffer alone ${competitor.onlyInBuffer}`,
  ];
  return `${lines.join("\n")}\n`;
}

function summaryJson({ rows, judged, verdicts, target, competitor }: CueSummary) {
  return {
    rows,
    judged,
    verdicts: verdicts.map(({ verdict, count, rate }) => ({
      verdict,
      count,
      ...(rate !== undefined && { rate }),
    })),
    target: {
      in_after_state: target.inAfterState,
      kept_in_buffer: target.keptInBuffer,
      lost_in_buffer: target.lostInBuffer,
      lost_in_state: target.lostInState,
      ...(target.retention !== undefined && { retention: target.retention }),
    },
    competitor: { new_in_state: competitor.newInState, only_in_buffer: competitor.onlyInBuffer },
  };
}
