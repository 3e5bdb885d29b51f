import type { OnProblem } from "./framing-problem.ts";

/** What every reader of a framing is given beside its bytes. */
export interface FramingContext {
  /** Longest message in bytes, after decompression. */
  readonly messageLimit: number;
  readonly within: "file" | "decompressed";
  readonly onProblem: OnProblem;
  /** Told each part of the framing as it is found: `zstd`, `json-lines`, `proto`, ... */
  readonly onFraming: (part: string) => void;
}
