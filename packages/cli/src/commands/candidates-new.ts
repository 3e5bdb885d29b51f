import {
  AsvError,
  CANDIDATE_PRESETS,
  encodeCandidateFileRecord,
  newCandidateSet,
  type CandidatePreset,
} from "@agent-step-value/sdk";
import { Command, Option } from "commander";
import { goldOption, integerOption, recordsOption } from "../options.ts";
import { writeRecords } from "../records/write-records.ts";
import { namedOutputs, refuseOverwriting } from "../report/refuse-overwriting.ts";

interface NewOptions {
  preset: CandidatePreset;
  taskId: string;
  question: string;
  answer: string[];
  none?: string;
  target?: number | "none";
  out?: string;
  goldOut?: string;
}

/** `asv candidates new`: one set for one task, to be reviewed, attached and frozen. */
export function newCommand(): Command {
  return new Command("new")
    .description("write a candidate set for one task; its target goes to a file of its own")
    .addOption(
      new Option("--preset <name>", "shape of the set").choices([...CANDIDATE_PRESETS]).default("open-qa"),
    )
    .requiredOption("--task-id <id>", "the task it belongs to")
    .requiredOption("--question <text>", "the task's question, as the trajectories have it")
    .option(
      "--answer <text>",
      "a concrete answer; repeat for each",
      (text: string, all: string[]) => [...all, text],
      [],
    )
    .option("--none <text>", "wording of none-of-the-above")
    .addOption(
      new Option("--target <n>", "the reviewed target: place of its answer from 1, or none").argParser(
        targetOption,
      ),
    )
    .option("-o, --out <file>", "file to write; standard output without it", recordsOption)
    .option("--gold-out <file>", "file for the target; needed with --target", goldOption)
    .action(async (options: NewOptions) => {
      const { preset, taskId, question, answer, none, target } = options;
      if (target !== undefined && options.goldOut === undefined) {
        throw new AsvError(
          "invalid_argument",
          "A target never stands in the set's own file: give --gold-out FILE with --target.",
        );
      }
      const space = newCandidateSet(preset, {
        answers: answer,
        ...(none !== undefined && { noneOfTheAbove: none }),
        ...(target !== undefined && { target }),
      });
      const { goldCandidateId, ...set } = space;
      await refuseOverwriting(namedOutputs({ "--out": options.out, "--gold-out": options.goldOut }), []);
      await writeRecords(options.out, (write) =>
        write(encodeCandidateFileRecord({ record: "candidate_set", taskId, question, ...set })),
      );
      if (goldCandidateId !== undefined) {
        await writeRecords(options.goldOut, (write) =>
          write(encodeCandidateFileRecord({ record: "gold", taskId, goldCandidateId })),
        );
      }
    });
}

function targetOption(text: string): number | "none" {
  return text === "none" ? "none" : integerOption(text) - 1;
}
