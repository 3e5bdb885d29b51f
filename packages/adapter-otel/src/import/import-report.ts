import type { ImportReport } from "@agent-step-value/sdk";
import type { FramingProblem } from "../framing/framing-problem.ts";

/** A stretch of a source that was not read. `offset` is exact. */
export interface OtlpProblem extends Omit<FramingProblem, "code"> {
  readonly code: FramingProblem["code"] | "invalid_span" | "invalid_log";
  readonly source: string;
}

/** What was found in one source. */
export interface OtlpFileReport {
  readonly source: string;
  /** As found by its content, from the outside in: `zstd+json-lines`, `length-prefixed+proto`, ... */
  framing: string;
  /** Of the file, before decompression. */
  bytes: number;
  messages: number;
  spans: number;
  logs: number;
  problems: number;
}

/** Spans, by what became of them. `read` is the sum of all but `invalid`. */
export interface SpanCounts {
  read: number;
  /** Of the `asv.*` set. */
  native: number;
  /** Of the `asv.*` set without the ids that place them. */
  broken: number;
  /** That say something about an agent's run by some convention. */
  foreign: number;
  /** That say nothing about one. */
  plumbing: number;
  invalid: number;
}

/** Log records, by what became of them. */
export interface LogCounts {
  read: number;
  /** States, by digest. */
  states: number;
  /** State records whose body is not what they declare. */
  damagedStates: number;
  /** Messages of a model call that older emitters wrote as events. */
  messages: number;
  /** Evaluation results and scores, which carry the target's name or are made of it. */
  refused: number;
  other: number;
  invalid: number;
}

/** States of `asv.step` spans, one count a before- or after-state. */
export interface StateCounts {
  /** Whole on their own span. */
  inline: number;
  /** Taken from another span of the run that has the same state. */
  chained: number;
  log: number;
  /** From the capture given as `states`. */
  local: number;
  /** Taken as they came: the span declares no digest. */
  unverified: number;
  /** Their span has the digest and nobody has the text. */
  missing: number;
  /** Shorter than declared. */
  cut: number;
  /** Not what was declared. */
  damaged: number;
}

/** What an import of OTLP did. Complete once its trajectories have been read to the end. */
export interface OtlpImportReport extends ImportReport {
  format: "otlp";
  /**
   * `complete`; `partial` where something of the input was lost or could not be placed, as the counts say;
   * `unusable` where no trajectory came out; `unfinished` until the last trajectory was read.
   */
  outcome: "complete" | "partial" | "unusable" | "unfinished";
  /** The first thousand sources; `fileCount` is all. */
  files: OtlpFileReport[];
  fileCount: number;
  /** The first thousand stretches that were not read; `problemCounts` counts all by code. */
  problems: OtlpProblem[];
  problemCounts: Record<string, number>;
  spans: SpanCounts;
  logs: LogCounts;
  /** Groups of metrics or profiles, which hold nothing of a run. */
  otherSignals: number;
  /** The same span more than once: equal ones fold, of differing ones the one that ended later counts. */
  duplicates: { folded: number; conflicts: number };
  native: {
    trajectories: number;
    /** Whose own span did not arrive. */
    withoutSpan: number;
    /** Whose declared number of steps did not arrive, and how many are missing in all. */
    incomplete: number;
    missingSteps: number;
    /** Written by a later version of the attribute set. */
    unknownVersion: number;
    /** JSON attributes that hold none any more. */
    damagedDetails: number;
  };
  foreign: {
    traces: number;
    trajectories: number;
    /** Traces that hold `asv.*` spans too, which tell the same run better. */
    besideNative: number;
    /** How their spans were used, as the conventions say. */
    used: Record<string, number>;
  };
  /** Native and foreign trajectories that are no valid record, or too large to be held. */
  rejected: number;
  states: StateCounts;
  references: {
    /** Spans whose parent did not arrive while others of the trace have theirs. */
    unresolved: number;
    /** Traces whose outermost spans all name one parent that did not arrive: the caller's, in another system. */
    remote: number;
    /** Parents that lead back to their own span. */
    cycles: number;
  };
  /** How faithful each reconstructed trajectory is, the first thousand. */
  reconstructed: { trajectoryId: string; convention: string; fidelity: string }[];
  /** Bytes of records that went through a temporary file. */
  spilledBytes: number;
}

/** A report before anything was read. */
export function emptyReport(): OtlpImportReport {
  return {
    format: "otlp",
    outcome: "unfinished",
    records: 0,
    trajectories: 0,
    steps: 0,
    labels: 0,
    fidelity: {},
    warnings: [],
    warningCounts: {},
    files: [],
    fileCount: 0,
    problems: [],
    problemCounts: {},
    spans: { read: 0, native: 0, broken: 0, foreign: 0, plumbing: 0, invalid: 0 },
    logs: { read: 0, states: 0, damagedStates: 0, messages: 0, refused: 0, other: 0, invalid: 0 },
    otherSignals: 0,
    duplicates: { folded: 0, conflicts: 0 },
    native: {
      trajectories: 0,
      withoutSpan: 0,
      incomplete: 0,
      missingSteps: 0,
      unknownVersion: 0,
      damagedDetails: 0,
    },
    foreign: { traces: 0, trajectories: 0, besideNative: 0, used: {} },
    rejected: 0,
    states: { inline: 0, chained: 0, log: 0, local: 0, unverified: 0, missing: 0, cut: 0, damaged: 0 },
    references: { unresolved: 0, remote: 0, cycles: 0 },
    reconstructed: [],
    spilledBytes: 0,
  };
}
