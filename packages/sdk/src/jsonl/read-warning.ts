/**
 * Something a reader went past without stopping.
 *
 * | code | meaning |
 * | --- | --- |
 * | `torn_line` | the last line ends in the middle of a record, as a killed writer leaves it; it was skipped |
 * | `lone_surrogate` | half a surrogate pair stood in a string; U+FFFD stands there now |
 * | `empty` | the source holds no record |
 * | `duplicate` | the same record was there before; it counts once |
 * | `joined` | several writers each recorded a part of one live trajectory; the parts are read as one |
 */
export interface ReadWarning {
  readonly code: "torn_line" | "lone_surrogate" | "empty" | "duplicate" | "joined";
  readonly message: string;
  readonly source: string;
  /** 1-based; 0 where the whole source is meant. */
  readonly line: number;
}

export type OnWarning = (warning: ReadWarning) => void;

/** Options of every reader of record files. */
export interface ReadOptions {
  /** Called for what was skipped, folded or replaced. Nothing is printed without it. */
  onWarning?: OnWarning;
  /** Longest line in bytes, default 256 MiB. A longer one is an error, not an exhausted memory. */
  lineLimit?: number;
}
