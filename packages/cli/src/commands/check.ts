import {
  checkFrozen,
  scanTrajectory,
  stateSha256,
  type StoredHit,
  type Trajectory,
} from "@agent-step-value/sdk";
import { Command } from "commander";
import { EXIT } from "../exit-code.ts";
import { type Io } from "../io.ts";
import type { Outcome } from "../run.ts";
import { createWarningLog, readRuns } from "../records/read-input.ts";

/** How many redaction hits are listed one by one. */
const LISTED = 20;

interface CheckReport {
  trajectories: number;
  steps: number;
  partial: number;
  /** Steps without a before- or after-state. */
  withoutState: number;
  /** Before-states that differ from the previous after-state, by whether the step says so. */
  discontinuities: { declared: number; undeclared: number };
  frozenSets: number;
  withTarget: number;
  humanLabels: number;
  truncatedStates: number;
  warnings: Record<string, number>;
  redaction?: {
    hits: number;
    byRule: Record<string, number>;
    first: (StoredHit & { trajectoryId: string })[];
  };
}

/** `asv check FILE...`: is it valid, whole and clean? */
export function checkCommand(io: Io, outcome: Outcome): Command {
  return new Command("check")
    .description("validate trajectories; with --redaction, look for secrets left in them")
    .argument("<files...>", "trajectory files, - for standard input")
    .option("--redaction", "scan every stored text again with the redaction rules; exit 3 on a hit")
    .option("--json", "print the report as JSON")
    .action(async (files: string[], options: { redaction?: boolean; json?: boolean }) => {
      const report = await check(files, options.redaction ?? false, io);
      io.stdout.write(options.json ? `${JSON.stringify(report)}\n` : describe(report));
      if (report.redaction !== undefined && report.redaction.hits > 0) outcome.exitCode = EXIT.gateFailed;
    });
}

async function check(files: readonly string[], redaction: boolean, io: Io): Promise<CheckReport> {
  const log = createWarningLog(io);
  const report: CheckReport = {
    trajectories: 0,
    steps: 0,
    partial: 0,
    withoutState: 0,
    discontinuities: { declared: 0, undeclared: 0 },
    frozenSets: 0,
    withTarget: 0,
    humanLabels: 0,
    truncatedStates: 0,
    warnings: log.counts,
    ...(redaction && { redaction: { hits: 0, byRule: {}, first: [] } }),
  };
  for await (const trajectory of readRuns(files, log)) {
    countTrajectory(report, trajectory);
    if (report.redaction !== undefined) scan(report.redaction, trajectory);
  }
  return report;
}

function countTrajectory(report: CheckReport, trajectory: Trajectory): void {
  const { task, steps } = trajectory;
  report.trajectories++;
  report.steps += steps.length;
  if (trajectory.status?.startsWith("partial")) report.partial++;
  if (checkFrozen(task.candidateSpace, task.question).frozen) report.frozenSets++;
  if (task.candidateSpace.goldCandidateId !== undefined) report.withTarget++;
  let previous: string | undefined;
  for (const { stateBefore, stateAfter, discontinuity, label } of steps) {
    if (label !== undefined) report.humanLabels++;
    if (stateBefore === undefined || stateAfter === undefined) report.withoutState++;
    if (stateAfter?.["truncated"] !== undefined) report.truncatedStates++;
    const before = stateBefore === undefined ? undefined : stateSha256(stateBefore);
    if (previous !== undefined && before !== undefined && before !== previous) {
      report.discontinuities[discontinuity ? "declared" : "undeclared"]++;
    }
    previous = stateAfter === undefined ? undefined : stateSha256(stateAfter);
  }
}

function scan(found: NonNullable<CheckReport["redaction"]>, trajectory: Trajectory): void {
  for (const hit of scanTrajectory(trajectory)) {
    found.hits++;
    found.byRule[hit.rule] = (found.byRule[hit.rule] ?? 0) + 1;
    if (found.first.length < LISTED) found.first.push({ trajectoryId: trajectory.trajectoryId, ...hit });
  }
}

function describe(report: CheckReport): string {
  const { discontinuities } = report;
  const lines = [
    `${report.trajectories} trajectories, ${report.steps} steps: valid`,
    `  ${report.partial} partial, ${report.withoutState} steps without a state, ${report.truncatedStates} after-states truncated`,
    `  ${discontinuities.declared} declared and ${discontinuities.undeclared} undeclared breaks in the chain of states`,
    `  ${report.frozenSets} frozen candidate sets, ${report.withTarget} with a target, ${report.humanLabels} human step labels`,
  ];
  if (report.redaction !== undefined) {
    const { hits, first, byRule } = report.redaction;
    lines.push(hits === 0 ? "  redaction: no hit" : `  redaction: ${hits} hits ${JSON.stringify(byRule)}`);
    for (const hit of first) lines.push(`    ${hit.trajectoryId} ${hit.path}: ${hit.rule}`);
  }
  return `${lines.join("\n")}\n`;
}
