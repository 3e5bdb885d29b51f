import {
  attachCandidates,
  encodeTrajectory,
  type CandidateSet,
  type Trajectory,
} from "@agent-step-value/sdk";
import { Command } from "commander";
import { say, warn, type Io } from "../io.ts";
import { recordsOption } from "../options.ts";
import { readCandidateFiles } from "../records/candidate-files.ts";
import { withRecordName } from "../records/named-failure.ts";
import { createWarningLog, readRuns } from "../records/read-input.ts";
import { writeRecords } from "../records/write-records.ts";

interface AttachOptions {
  candidates: string[];
  gold?: string[];
  out?: string;
}

/** `asv candidates attach FILE --candidates SETS`: gives trajectories their candidate sets and targets. */
export function attachCommand(io: Io): Command {
  return new Command("attach")
    .description("give trajectories their candidate sets, by task id or by question")
    .argument("<file>", "trajectory file")
    .requiredOption("--candidates <files...>", "candidate-set files")
    .option("--gold <files...>", "files with the reviewed targets")
    .option("-o, --out <file>", "file to write; FILE itself is replaced without it", recordsOption)
    .action(async (file: string, options: AttachOptions) => {
      const log = createWarningLog(io);
      const { sets, gold, count } = await readCandidateFiles(
        [...options.candidates, ...(options.gold ?? [])],
        log,
      );
      let attached = 0;
      let without = 0;
      let targets = 0;
      const attach = (trajectory: Trajectory, set: CandidateSet): Trajectory => {
        // A set found by its question brings the target of the task it was written for.
        const target = gold.get(trajectory.task.taskId) ?? (set.taskId && gold.get(set.taskId));
        const result = attachCandidates(trajectory, set, target);
        if (result.task.candidateSpace.goldCandidateId !== undefined) targets++;
        return result;
      };
      await writeRecords(options.out ?? file, async (write) => {
        for await (const trajectory of readRuns([file], log)) {
          const set = sets.find(trajectory.task);
          if (set === undefined) without++;
          else attached++;
          const result =
            set === undefined
              ? trajectory
              : withRecordName(file, "trajectory", trajectory.trajectoryId, () => attach(trajectory, set));
          await write(encodeTrajectory(result));
        }
      });
      say(
        io,
        `attached ${count} candidate sets to ${attached} trajectories, ${targets} of them with a target`,
      );
      if (gold.size > 0 && targets < attached) {
        warn(
          io,
          `${attached - targets} trajectories have a set and no target: they will have no margin gain`,
        );
      }
      if (without > 0) warn(io, `${without} trajectories have no set among the files and stay as they were`);
    });
}
