import type { TracerProvider } from "@opentelemetry/api";
import { InvalidArgumentError } from "../errors/index.ts";
import type { ProjectionPolicy } from "../project/index.ts";
import type { JsonObject } from "../schema/index.ts";
import { jsonlSink } from "./jsonl-sink.ts";
import { redactionPolicies, type RedactionPolicies } from "./redaction-policies.ts";
import type { Sink } from "./sink.ts";
import { spanSink } from "./span-sink.ts";
import type { TaskSource } from "./task-source.ts";

/** Options of a recorder. `{}` works. */
export interface RecorderOptions {
  /**
   * Where records go. Default: spans through `tracerProvider` or the globally registered provider,
   * and the JSONL file. When given, only what is named here: these sinks, and `file` and
   * `tracerProvider` where they are given too.
   */
  sinks?: readonly Sink[];
  /**
   * Path of the JSONL file, see {@link jsonlSink} for `{pid}` and `{rand}`. Default: what the
   * environment variable `ASV_FILE` says when the recorder is created; false for none.
   */
  file?: string | false;
  tracerProvider?: TracerProvider;
  /** How states, and everything else that leaves the process, are redacted. Default: the built-in rules. */
  policy?: ProjectionPolicy;
  /** Picks from a live state what may be seen, before the rules run. In place of `policy.project`. */
  project?: (state: unknown) => unknown;
  /** The task of every run, or what makes it from a run's input. */
  task?: TaskSource;
  /** Whether state texts ride on spans, default `inline`; see {@link spanSink}. The file always has them. */
  states?: "inline" | "digest";
  /** Gets every problem. Default: one warning a kind of problem on the console. */
  onError?: (error: Error) => void;
  /** A trajectory that does nothing for so long is closed as `abandoned`. Default 600,000 ms. */
  maxOpenMs?: number;
  /** Most trajectories open at once; beyond it the one idle longest is closed. Default 1024. */
  maxOpenTrajectories?: number;
  /** Stored with every trajectory, redacted. Nothing else about host or process is. */
  metadata?: JsonObject;
  /** Name of what captures. Default `manual`. */
  sourceAdapter?: string;
}

/** Options of a recorder, checked and filled in. */
export interface RecorderConfig {
  readonly sinks: readonly Sink[];
  readonly policies: RedactionPolicies;
  readonly task: TaskSource | undefined;
  readonly onError: ((error: Error) => void) | undefined;
  readonly maxOpenMs: number;
  readonly maxOpenTrajectories: number;
  readonly metadata: JsonObject;
  readonly sourceAdapter: string;
}

/**
 * Checks a recorder's options and fills in the defaults.
 *
 * @throws {InvalidArgumentError} naming the option
 */
export function resolveRecorderOptions(options: RecorderOptions): RecorderConfig {
  const { onError, task } = options;
  if (onError !== undefined && typeof onError !== "function") {
    throw new InvalidArgumentError("onError", "a function", onError);
  }
  return Object.freeze({
    sinks: Object.freeze(chooseSinks(options)),
    policies: redactionPolicies(options.policy, options.project),
    task,
    onError,
    maxOpenMs: positive("maxOpenMs", options.maxOpenMs ?? 600_000),
    maxOpenTrajectories: positive("maxOpenTrajectories", options.maxOpenTrajectories ?? 1024),
    metadata: options.metadata ?? {},
    sourceAdapter: options.sourceAdapter ?? "manual",
  });
}

function chooseSinks({ sinks, file, tracerProvider, states }: RecorderOptions): Sink[] {
  const chosen = [...(sinks ?? [])];
  const path = file ?? (sinks === undefined ? globalThis.process?.env?.["ASV_FILE"] : undefined);
  if (typeof path === "string" && path !== "") chosen.push(jsonlSink(path));
  if (sinks === undefined || tracerProvider !== undefined) {
    // Without a provider of its own the host may not use tracing at all, which is nothing to report
    // while a file is written.
    const quiet = tracerProvider === undefined;
    chosen.push(
      spanSink({
        quiet,
        ...(tracerProvider !== undefined && { tracerProvider }),
        ...(states !== undefined && { states }),
      }),
    );
  }
  return chosen;
}

function positive(name: string, value: number): number {
  if (typeof value === "number" && value > 0) return value;
  throw new InvalidArgumentError(name, "a number above 0", value);
}
