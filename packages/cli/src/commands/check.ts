import {
  decodeCandidateFileRecord,
  decodeScoreFileRecord,
  scanStored,
  scanTrajectoryRecord,
  type RecordPlace,
  type StoredHit,
} from "@agent-step-value/sdk";
import { readLines, readRecords } from "@agent-step-value/sdk/jsonl";
import { Command } from "commander";
import { EXIT, type Outcome } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { createTrajectoryTally, type TrajectoryTally } from "../records/trajectory-tally.ts";
import { createWarningLog, readRuns, type WarningLog } from "../records/read-input.ts";
import { createSetProblems, type SetProblems } from "../records/set-problems.ts";
import { sniffFile } from "../records/sniff.ts";
import { printable } from "../terminal/table.ts";

/** How many redaction hits are listed one by one. */
const LISTED = 20;

interface RedactionFindings {
  hits: number;
  byRule: Record<string, number>;
  /** The first hits: where they are and which rule fired, never the text itself. */
  first: (StoredHit & { source: string; line: number })[];
}

interface CheckReport extends TrajectoryTally {
  scoreRecords: number;
  candidateRecords: number;
  /** Sets that cannot be frozen, in trajectories and in candidate files. */
  unusableSets: SetProblems;
  /** What readers went past, by code. */
  warnings: Record<string, number>;
  redaction?: RedactionFindings;
}

/** `asv check FILE...`: is it valid, whole and clean? */
export function checkCommand(io: Io, outcome: Outcome): Command {
  return new Command("check")
    .description(
      "validate trajectory, score and candidate-set files; with --redaction, look for secrets left in them",
    )
    .argument("<files...>", "files to check, - for trajectories on standard input")
    .option("--redaction", "scan every stored text again with the redaction rules; exit 3 on a hit")
    .option("--json", "print the report as JSON")
    .action(async (files: string[], options: { redaction?: boolean; json?: boolean }) => {
      const report = await check(files, options.redaction ?? false, io);
      io.stdout.write(options.json ? `${JSON.stringify(report)}\n` : describe(report));
      if (report.redaction !== undefined && report.redaction.hits > 0) outcome.exitCode = EXIT.gateFailed;
      if (report.unusableSets.sets > 0) outcome.exitCode = EXIT.badInput;
    });
}

async function check(files: readonly string[], redaction: boolean, io: Io): Promise<CheckReport> {
  const log = createWarningLog(io);
  const kinds = new Map<string, Awaited<ReturnType<typeof sniffFile>>>();
  for (const file of files) kinds.set(file, file === "-" ? "trajectories" : await sniffFile(file));
  const of = (kind: string) => files.filter((file) => kinds.get(file) === kind);

  const tally = createTrajectoryTally();
  const problems = createSetProblems();
  for await (const trajectory of readRuns(of("trajectories"), log)) {
    tally.add(trajectory);
    problems.look(trajectory.trajectoryId, trajectory.task.candidateSpace.candidates);
  }
  const report: CheckReport = {
    ...tally.counts,
    scoreRecords: await countRecords(of("scores"), decodeScoreFileRecord, log),
    candidateRecords: await countRecords(of("candidates"), decodeCandidateFileRecord, log, (record) => {
      if (record.record === "candidate_set") problems.look(record.taskId, record.candidates);
    }),
    unusableSets: problems.found,
    warnings: log.counts,
  };
  if (redaction)
    report.redaction = await scanFiles(
      files.filter((file) => file !== "-"),
      kinds,
    );
  return report;
}

async function countRecords<T>(
  files: readonly string[],
  decode: (json: unknown, place: RecordPlace) => T,
  log: WarningLog,
  look: (record: T) => void = () => undefined,
): Promise<number> {
  let count = 0;
  for (const file of files) {
    for await (const record of readRecords(file, decode, log)) {
      count++;
      look(record);
    }
  }
  return count;
}

/** Scans the records as they are stored, unknown keys included. */
async function scanFiles(
  files: readonly string[],
  kinds: ReadonlyMap<string, string>,
): Promise<RedactionFindings> {
  const found: RedactionFindings = { hits: 0, byRule: {}, first: [] };
  for (const file of files) {
    const scan = kinds.get(file) === "trajectories" ? scanTrajectoryRecord : scanStored;
    for await (const { json, place } of readLines(file)) {
      for (const hit of scan(json)) {
        found.hits += hit.count;
        found.byRule[hit.rule] = (found.byRule[hit.rule] ?? 0) + hit.count;
        if (found.first.length < LISTED) found.first.push({ ...place, ...hit });
      }
    }
  }
  return found;
}

function describe(report: CheckReport): string {
  const { discontinuities } = report;
  const lines = [
    `${report.trajectories} trajectories, ${report.steps} steps: valid`,
    `  ${report.partial} partial, ${report.withoutState} steps without a state, ${report.truncatedStates} after-states truncated`,
    `  ${discontinuities.declared} declared and ${discontinuities.undeclared} undeclared breaks in the chain of states`,
    `  ${report.frozenSets} frozen candidate sets, ${report.withTarget} with a target, ${report.humanLabels} human step labels`,
  ];
  if (report.brokenFreezes > 0) {
    lines.push(
      `  ${report.brokenFreezes} candidate sets were changed after they were frozen; they count as unreviewed`,
    );
  }
  if (report.scoreRecords > 0) lines.push(`${report.scoreRecords} score file records: valid`);
  if (report.candidateRecords > 0) lines.push(`${report.candidateRecords} candidate file records: valid`);
  const { sets, first } = report.unusableSets;
  if (sets > 0) {
    lines.push(`${sets} candidate sets cannot be frozen:`);
    for (const { of, problem } of first) lines.push(`  ${printable(of, 120)}: ${problem}`);
  }
  if (report.redaction !== undefined) lines.push(...describeFindings(report.redaction));
  return `${lines.join("\n")}\n`;
}

function describeFindings({ hits, byRule, first }: RedactionFindings): string[] {
  if (hits === 0) return ["redaction: no hit"];
  const rules = Object.entries(byRule).map(([rule, count]) => `${rule} ${count}`);
  return [
    `redaction: ${hits} hits (${rules.join(", ")})`,
    ...first.map(({ source, line, path, rule }) => `  ${source}:${line} ${printable(path, 200)}: ${rule}`),
  ];
}
