/** One unit of a framing: a line, a JSON value, a frame. */
export interface Message {
  readonly encoding: "json" | "proto";
  /** Only valid until the next message is asked for. */
  readonly bytes: Buffer;
  /** Counted from 1 within its source. */
  readonly number: number;
  /** First byte, counted from 0. */
  readonly offset: number;
  readonly within: "file" | "decompressed";
  /** False for a last line that has no line feed: one that cannot be read is torn, not bad. */
  readonly whole: boolean;
}
