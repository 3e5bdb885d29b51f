import { InvalidArgumentError, type ProjectionPolicy } from "@agent-step-value/sdk";
import { foreignPolicies, type ForeignPolicies } from "./foreign-states.ts";
import type { SpanProcessorError } from "./processor-error.ts";

/** Options of {@link asvSpanProcessor}. */
export interface SpanProcessorOptions {
  /**
   * Path of the JSONL file, created with its first record. Give every process a file of its own:
   * `{pid}` becomes the process id and `{rand}` four random hex digits, as in `runs.{pid}-{rand}.jsonl`.
   * Not a file that a recorder writes: two accounts of one run in a file are an error to readers.
   */
  file: string;
  /**
   * When the system is asked to bring records to the disk. `never` (default): a killed process loses
   * nothing, a power cut may lose the last seconds. `trajectory`: at the end of each trajectory, and
   * at `forceFlush()`.
   */
  fsync?: "trajectory" | "never";
  /** How spans of other writers than the SDK's recorder are projected. Default: the built-in rules. */
  policy?: ProjectionPolicy;
  /** Gets each kind of problem once. Default: a warning on the console. */
  onError?: (error: SpanProcessorError) => void;
  /** A trajectory without a span for so long is closed as `partial:idle`. Default 600,000 ms. */
  maxOpenMs?: number;
  /** Most trajectories open at once; beyond it the one idle longest is closed as `partial:evicted`. Default 1024. */
  maxOpenTrajectories?: number;
}

/** Options, checked and filled in. */
export interface SpanProcessorConfig {
  readonly file: string;
  readonly fsync: boolean;
  readonly policies: ForeignPolicies;
  readonly onError: ((error: SpanProcessorError) => void) | undefined;
  readonly maxOpenMs: number;
  readonly maxOpenTrajectories: number;
}

/** @throws {InvalidArgumentError} naming the option */
export function resolveProcessorOptions(options: SpanProcessorOptions): SpanProcessorConfig {
  const { file, fsync = "never", onError } = Object(options) as SpanProcessorOptions;
  if (typeof file !== "string" || file === "") throw new InvalidArgumentError("file", "a file path", file);
  if (fsync !== "never" && fsync !== "trajectory") {
    throw new InvalidArgumentError("fsync", '"trajectory" or "never"', fsync);
  }
  if (onError !== undefined && typeof onError !== "function") {
    throw new InvalidArgumentError("onError", "a function", onError);
  }
  return Object.freeze({
    file,
    fsync: fsync === "trajectory",
    policies: foreignPolicies(options.policy),
    onError,
    maxOpenMs: positive("maxOpenMs", options.maxOpenMs ?? 600_000),
    maxOpenTrajectories: positive("maxOpenTrajectories", options.maxOpenTrajectories ?? 1024),
  });
}

function positive(name: string, value: number): number {
  if (typeof value === "number" && value > 0) return value;
  throw new InvalidArgumentError(name, "a number above 0", value);
}
