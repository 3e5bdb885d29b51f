/**
 * What was wrong with a stretch of a source.
 *
 * | code | meaning |
 * | --- | --- |
 * | `torn` | the source ends within a message, as a killed writer or a cut copy leaves it |
 * | `bad` | a message that is whole and cannot be read |
 * | `too_long` | a message above the message limit; it was passed over without being held |
 * | `corrupt` | compressed data that does not decompress; nothing behind it can be read |
 * | `expansion` | data that decompresses to far more than any telemetry does; reading stopped |
 * | `unknown` | a source whose framing is not known |
 * | `unreadable` | the system failed while the source was read |
 */
export type FramingProblemCode =
  "torn" | "bad" | "too_long" | "corrupt" | "expansion" | "unknown" | "unreadable";

/** Something of a source that was not read, and exactly where it stands. */
export interface FramingProblem {
  readonly code: FramingProblemCode;
  /** First byte of the stretch, counted from 0. */
  readonly offset: number;
  /** Whether `offset` counts the bytes of the file or those that came out of its decompression. */
  readonly within: "file" | "decompressed";
  /** How long the stretch is, where that is known. */
  readonly bytes?: number;
  /** Number of the message, counted from 1: a line, a value, a frame. */
  readonly message?: number;
  readonly reason: string;
}

/** Notes problems; reading goes on. */
export type OnProblem = (problem: FramingProblem) => void;
