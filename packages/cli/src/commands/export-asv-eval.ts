import { dirname, join } from "node:path";
import {
  applyBeliefFixture,
  asvEvalFiles,
  AsvError,
  decodeBeliefFixtureRow,
  scoredTrajectories,
  type BeliefFixtureRow,
  type IndexedProtocol,
  type ScoreIndex,
  type Trajectory,
} from "@agent-step-value/sdk";
import { readRecords } from "@agent-step-value/sdk/jsonl";
import { EXIT, type Outcome } from "../exit-code.ts";
import { say, warn, type Io } from "../io.ts";
import { cautionOf } from "../records/evaluators.ts";
import { makeFolder } from "../records/make-folder.ts";
import { createWarningLog, readRuns, type WarningLog } from "../records/read-input.ts";
import { chooseProtocol, readScores, sortFiles } from "../records/score-files.ts";
import { outputFiles, refuseOverwriting } from "../report/refuse-overwriting.ts";
import { writeTextFiles } from "../report/text-file.ts";

export interface AsvEvalOptions {
  /** Folder to write. */
  out: string;
  protocol?: string;
  beliefs?: string;
}

/** `--as asv-eval`: the files that the Python toolkit's reports are made of. */
export async function exportAsvEval(
  files: readonly string[],
  options: AsvEvalOptions,
  io: Io,
  outcome: Outcome,
): Promise<void> {
  const log = createWarningLog(io);
  const { runs, scores } = await sortFiles(files);
  if (scores.length > 0 && options.beliefs !== undefined) {
    throw new AsvError(
      "invalid_argument",
      "Give either score files or --beliefs: both would say what the beliefs are.",
    );
  }
  const index = await readScores(scores, log);
  const protocol = index === undefined ? undefined : chooseProtocol(index, options.protocol);
  const trajectories = await measured(runs, index, protocol, log);
  const joined =
    options.beliefs === undefined ? trajectories : await withBeliefs(trajectories, options.beliefs, log, io);
  const evaluator = protocol === undefined ? undefined : { mode: protocol.evaluatorKinds.join(",") };
  const written = Object.entries(asvEvalFiles(joined, evaluator && { evaluator }));
  const places = outputFiles(
    "--out",
    options.out,
    written.map(([path]) => path),
  );
  await refuseOverwriting(places, [...files, ...(options.beliefs === undefined ? [] : [options.beliefs])]);
  for (const { path } of places) await makeFolder(dirname(path));
  await writeTextFiles(Object.fromEntries(written.map(([path, text]) => [join(options.out, path), text])));
  say(io, `wrote ${options.out} for ${joined.length} trajectories`);
  for (const kind of protocol?.evaluatorKinds ?? []) {
    const caution = cautionOf(kind);
    if (caution !== undefined) warn(io, caution);
  }
  const without = joined.flatMap(({ steps }) =>
    steps.filter(
      ({ beliefAfter, rawScoresAfter }) => beliefAfter === undefined && rawScoresAfter === undefined,
    ),
  );
  if (without.length > 0) {
    warn(io, `${without.length} steps have no score and no row in the files`);
    outcome.exitCode = EXIT.partial;
  }
}

async function measured(
  runs: readonly string[],
  index: ScoreIndex | undefined,
  protocol: IndexedProtocol | undefined,
  log: WarningLog,
): Promise<Trajectory[]> {
  const trajectories: Trajectory[] = [];
  for await (const trajectory of readRuns(runs, log)) {
    if (index === undefined || protocol === undefined) trajectories.push(trajectory);
    else trajectories.push(...scoredTrajectories(trajectory, index, protocol.protocolId));
  }
  return trajectories;
}

async function withBeliefs(
  trajectories: readonly Trajectory[],
  file: string,
  log: WarningLog,
  io: Io,
): Promise<Trajectory[]> {
  const rows = new Map<string, BeliefFixtureRow[]>();
  for await (const row of readRecords(file, decodeBeliefFixtureRow, log)) {
    rows.set(row.trajectoryId, [...(rows.get(row.trajectoryId) ?? []), row]);
  }
  return trajectories.map((trajectory) => {
    const result = applyBeliefFixture(trajectory, rows.get(trajectory.trajectoryId) ?? []);
    if (result.missingSteps.length > 0) {
      warn(io, `${trajectory.trajectoryId}: ${result.missingSteps.length} steps are not in ${file}`);
    }
    return result.trajectory;
  });
}
