import {
  AsvError,
  encodeCandidateFileRecord,
  generateCandidateSet,
  showValue,
  type CandidateSetRecord,
  type TextWriter,
} from "@agent-step-value/sdk";
import { fileCache } from "@agent-step-value/sdk/score";
import { Command, Option } from "commander";
import { EXIT, type Outcome } from "../exit-code.ts";
import { say, warn, type Io } from "../io.ts";
import { countOption, recordsOption } from "../options.ts";
import { createEvaluator } from "../records/evaluators.ts";
import { createInterrupt } from "../records/interrupt.ts";
import { addModelOptions, type ModelOptions } from "../records/model-options.ts";
import { createWarningLog, readRuns } from "../records/read-input.ts";
import { cachedTextWriter } from "../records/text-writer.ts";
import { writeRecords } from "../records/write-records.ts";
import { namedOutputs, refuseOverwriting } from "../report/refuse-overwriting.ts";
import { createProgress } from "../terminal/progress.ts";

interface GenerateCommandOptions extends ModelOptions {
  evaluator: string;
  question?: string;
  taskId?: string;
  cache: string;
  concurrency: number;
  out?: string;
}

interface OpenTask {
  taskId: string;
  question: string;
}

/** `asv candidates generate RUNS`: candidate sets written by a model from the questions alone. */
export function generateCommand(io: Io, outcome: Outcome): Command {
  const command = new Command("generate")
    .description(
      "have a model write three answers for each question, from the question alone; a person reviews them next",
    )
    .argument("[files...]", "trajectory files, whose tasks without a set get one")
    .option("--question <text>", "one question instead of files (needs --task-id)")
    .option("--task-id <id>", "the task the question belongs to")
    .option("--evaluator <name>", "what writes the answers", "openai");
  return addModelOptions(command)
    .option("--cache <dir>", "where replies are kept between runs", ".asv-cache")
    .addOption(new Option("--concurrency <n>", "calls at a time").argParser(countOption).default(4))
    .option("-o, --out <file>", "candidate-set file to write; standard output without it", recordsOption)
    .action(async (files: string[], options: GenerateCommandOptions) => {
      await refuseOverwriting(namedOutputs({ "--out": options.out }), files);
      const { tasks, skipped } = await openTasks(files, options, io);
      const evaluator = await createEvaluator(options.evaluator, options);
      const cache = fileCache(options.cache);
      let failed = 0;
      try {
        const write = cachedTextWriter(evaluator, cache);
        await writeRecords(options.out, async (put) => {
          const sets = generated(tasks, write, evaluator.settings.model, options, io);
          for await (const set of sets) {
            if (set === undefined) failed++;
            else await put(encodeCandidateFileRecord(set));
          }
        });
      } finally {
        await cache.close();
      }
      const had = skipped > 0 ? `; ${skipped} tasks have a set already` : "";
      say(
        io,
        `wrote ${tasks.length - failed} unreviewed candidate sets${had}; review them next (asv candidates review)`,
      );
      if (failed > 0) outcome.exitCode = EXIT.partial;
    });
}

/** The tasks that need a set, once each. */
async function openTasks(
  files: readonly string[],
  { question, taskId }: GenerateCommandOptions,
  io: Io,
): Promise<{ tasks: OpenTask[]; skipped: number }> {
  if ((question === undefined) === (files.length === 0)) {
    throw new AsvError("invalid_argument", "Give trajectory files, or --question with --task-id.");
  }
  if (question !== undefined) {
    if (taskId === undefined || taskId === "")
      throw new AsvError("invalid_argument", "--question needs --task-id ID.");
    return { tasks: [{ taskId, question }], skipped: 0 };
  }
  const open = new Map<string, string>();
  const had = new Set<string>();
  for await (const { task } of readRuns(files, createWarningLog(io))) {
    const known = open.get(task.taskId);
    if (known !== undefined && known !== task.question) {
      throw new AsvError(
        "conflicting_records",
        `Task ${showValue(task.taskId)} has two different questions.`,
        {
          taskId: showValue(task.taskId),
        },
      );
    }
    if (task.candidateSpace.candidates.length > 0) had.add(task.taskId);
    else open.set(task.taskId, task.question);
  }
  const tasks = [...open]
    .filter(([id]) => !had.has(id))
    .map(([id, text]) => ({ taskId: id, question: text }));
  return { tasks, skipped: had.size };
}

/** Sets in the order of the tasks; undefined where neither reply could be used. */
async function* generated(
  tasks: readonly OpenTask[],
  write: TextWriter,
  model: string,
  { concurrency }: GenerateCommandOptions,
  io: Io,
): AsyncGenerator<CandidateSetRecord | undefined> {
  const interrupt = createInterrupt();
  const { signal } = interrupt;
  const progress = createProgress("generate", io.stderr, io.quiet);
  try {
    for (let at = 0; at < tasks.length; at += concurrency) {
      const batch = tasks.slice(at, at + concurrency);
      const settled = await Promise.allSettled(
        batch.map((task) => generateCandidateSet(task, write, { model, signal })),
      );
      for (const result of settled) {
        if (result.status === "fulfilled") yield result.value;
        else {
          warnOrThrow(result.reason, signal, io);
          yield undefined;
        }
      }
      progress.update(at + batch.length, tasks.length, "");
    }
  } finally {
    progress.stop();
    interrupt.release();
  }
}

/** One task's bad luck is told; what every later call would share ends the run. */
function warnOrThrow(error: unknown, signal: AbortSignal, io: Io): void {
  if (signal.aborted) {
    throw new AsvError(
      "interrupted",
      "Interrupted. Replies are kept in the cache; the same command goes on from there.",
      {},
      error,
    );
  }
  if (!AsvError.isInstance(error) || error.code !== "evaluator_failed" || error.fields["fatal"] === true)
    throw error;
  warn(io, error.message);
}
