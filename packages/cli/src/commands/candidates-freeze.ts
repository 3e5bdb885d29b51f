import {
  decodeCandidateFileRecord,
  encodeCandidateFileRecord,
  encodeTrajectory,
  freezeCandidates,
  type CandidateReview,
  type JsonObject,
} from "@agent-step-value/sdk";
import { readRecords } from "@agent-step-value/sdk/jsonl";
import { Command } from "commander";
import { say, type Io } from "../io.ts";
import { recordsOption } from "../options.ts";
import { withRecordName } from "../records/named-failure.ts";
import { createWarningLog, readRuns, type WarningLog } from "../records/read-input.ts";
import { sniffFile } from "../records/sniff.ts";
import { writeRecords } from "../records/write-records.ts";

interface FreezeOptions {
  reviewer?: string;
  notes?: string;
  out?: string;
}

/** `asv candidates freeze FILE`: fixes order, digest and review of every set in a file. */
export function freezeCommand(io: Io): Command {
  return new Command("freeze")
    .description("freeze the candidate sets of a trajectory or candidate-set file after review")
    .argument("<file>", "trajectory file or candidate-set file")
    .option(
      "--reviewer <name>",
      "who reviewed the sets; not needed where a data set's own labels define them",
    )
    .option("--notes <text>", "what the reviewer noted")
    .option("-o, --out <file>", "file to write; FILE itself is replaced without it", recordsOption)
    .action(async (file: string, options: FreezeOptions) => {
      const log = createWarningLog(io);
      const frozen =
        (await sniffFile(file)) === "candidates"
          ? frozenSets(file, options, log)
          : frozenRuns(file, options, log);
      let count = 0;
      await writeRecords(options.out ?? file, async (write) => {
        for await (const record of frozen) {
          count++;
          await write(record);
        }
      });
      say(io, `froze the candidate sets of ${count} records`);
    });
}

async function* frozenRuns(
  file: string,
  options: FreezeOptions,
  log: WarningLog,
): AsyncGenerator<JsonObject> {
  const review = reviewOf(options);
  for await (const trajectory of readRuns([file], log)) {
    const { task } = trajectory;
    const candidateSpace = withRecordName(file, "trajectory", trajectory.trajectoryId, () =>
      freezeCandidates(task.candidateSpace, task.question, review),
    );
    yield encodeTrajectory({ ...trajectory, task: { ...task, candidateSpace } });
  }
}

async function* frozenSets(
  file: string,
  options: FreezeOptions,
  log: WarningLog,
): AsyncGenerator<JsonObject> {
  const review = reviewOf(options);
  for await (const record of readRecords(file, decodeCandidateFileRecord, log)) {
    if (record.record === "gold") {
      yield encodeCandidateFileRecord(record);
      continue;
    }
    const frozen = withRecordName(file, "candidate set of task", record.taskId, () =>
      freezeCandidates(record, record.question, review),
    );
    yield encodeCandidateFileRecord({ ...record, ...frozen });
  }
}

function reviewOf({ reviewer, notes }: FreezeOptions): CandidateReview | undefined {
  if (reviewer === undefined) return undefined;
  return { reviewer, reviewedAt: new Date().toISOString(), ...(notes !== undefined && { notes }) };
}
