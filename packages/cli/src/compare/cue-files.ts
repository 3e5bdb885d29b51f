import { join } from "node:path";
import {
  createBufferTexts,
  cueCsvLines,
  cueWorkList,
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
import { writeTextFile } from "../report/text-file.ts";

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

/** Writes `cues.jsonl`, which is whole, and `cues.csv`, which a person fills in. */
export async function writeCueFiles(folder: string, { rows }: CueWorkList): Promise<void> {
  const lines = rows.map((row) => `${JSON.stringify(encodeCueRow(row))}\n`).join("");
  await writeTextFile(join(folder, "cues.jsonl"), lines);
  await writeTextFile(join(folder, "cues.csv"), [...cueCsvLines(rows)].join(""));
}

function key({ trajectoryId, stepId }: { trajectoryId: string; stepId: string }): string {
  return JSON.stringify([trajectoryId, stepId]);
}
