import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  AsvError,
  createBufferTexts,
  cueCsvLines,
  cueWorkList,
  decodeCueRow,
  decodeScoreFileRecord,
  encodeCueRow,
  type AuditedStep,
  type BufferTexts,
  type CueInput,
  type CueWorkList,
  type DiagnosedStep,
  type Slice,
  type Trajectory,
} from "@agent-step-value/sdk";
import { readRecords } from "@agent-step-value/sdk/jsonl";
import type { WarningLog } from "../records/read-input.ts";
import { writeTextFiles } from "../report/text-file.ts";

/** The rationales that the score files hold. */
export async function readBuffers(files: readonly string[], log: WarningLog): Promise<BufferTexts> {
  const buffers = createBufferTexts();
  for (const file of files) {
    for await (const record of readRecords(file, decodeScoreFileRecord, log)) buffers.add(record);
  }
  return buffers;
}

/** The work list of an audit's selected transitions, as the contrast channel measured them. */
export function listCues(
  selected: readonly AuditedStep[],
  trajectories: ReadonlyMap<string, Trajectory>,
  steps: readonly DiagnosedStep[],
  buffers: BufferTexts,
  slice: Slice,
): CueWorkList {
  const measured = new Map(steps.map((step) => [key(step), step]));
  const inputs = selected.flatMap((chosen): CueInput[] => {
    const step = measured.get(key(chosen));
    const trajectory = trajectories.get(chosen.trajectoryId);
    if (step === undefined || trajectory === undefined) return [];
    const { candidateSetSha256, stateBeforeSha256, stateAfterSha256 } = step.transition ?? {};
    const find = (sha256: string | undefined) =>
      sha256 === undefined || candidateSetSha256 === undefined
        ? undefined
        : buffers.find(step.protocolId, trajectory.task.taskId, candidateSetSha256, sha256);
    const texts = { before: find(stateBeforeSha256), after: find(stateAfterSha256) };
    return [{ trajectory, step, gap: chosen.gap, buffers: texts }];
  });
  return cueWorkList(inputs, slice);
}

/** What {@link writeCueFiles} writes in its folder. */
export const CUE_FILES: readonly string[] = ["cues.jsonl", "cues.csv"];

/**
 * Keeps a second audit from writing over a work list that somebody has begun to fill in: a person's verdicts are
 * the one thing here that cannot be computed again.
 *
 * @throws AsvError `invalid_argument` where either file is not as {@link writeCueFiles} left it
 */
export async function refuseFilledCues(folder: string): Promise<void> {
  const [lines, csv] = await Promise.all(CUE_FILES.map((name) => textOf(join(folder, name))));
  if (lines === undefined && csv === undefined) return;
  if (lines !== undefined && (csv ?? "") === untouchedCsv(lines)) return;
  throw new AsvError(
    "invalid_argument",
    `${folder} holds a work list that was changed after it was written, perhaps by a person's verdicts. ` +
      `Bring them back first (asv cues ${join(folder, "cues.jsonl")} --verdicts ${join(folder, "cues.csv")} --out FILE), or give another folder.`,
    { folder },
  );
}

/** The CSV that was written with a list; undefined where a line is not as it was written either. */
function untouchedCsv(lines: string): string | undefined {
  try {
    const rows = lines
      .split("\n")
      .filter((line) => line !== "")
      .map((line, i) => decodeCueRow(JSON.parse(line), { source: "cues.jsonl", line: i + 1 }));
    const isJudged = rows.some(({ verdict, note, reviewer }) => verdict ?? note ?? reviewer);
    return isJudged ? undefined : [...cueCsvLines(rows)].join("");
  } catch {
    return undefined;
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw new AsvError("unreadable_source", `${path}: cannot be read.`, { source: path }, error);
  }
}

/** Writes `cues.jsonl`, which is whole, and `cues.csv`, which a person fills in. */
export async function writeCueFiles(folder: string, { rows }: CueWorkList): Promise<void> {
  const lines = rows.map((row) => `${JSON.stringify(encodeCueRow(row))}\n`).join("");
  await writeTextFiles({
    [join(folder, "cues.jsonl")]: lines,
    [join(folder, "cues.csv")]: [...cueCsvLines(rows)].join(""),
  });
}

function key({ trajectoryId, stepId }: { trajectoryId: string; stepId: string }): string {
  return JSON.stringify([trajectoryId, stepId]);
}
