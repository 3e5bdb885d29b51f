import { InvalidArgumentError } from "@agent-step-value/sdk";
import type { JsonlSource } from "@agent-step-value/sdk/jsonl";

/** Options of {@link importOtlp}. */
export interface OtlpImportOptions {
  /**
   * ASV JSONL of the capture, where the spans carry digests alone (`asv.state.carrier` is `local`): its
   * states are joined by digest.
   */
  readonly states?: JsonlSource | readonly JsonlSource[];
  /** Read foreign spans by this convention only, and also in traces that hold `asv.*` spans. */
  readonly convention?: string;
  /** Longest line or message in bytes, after decompression. Default 256 MiB. A longer one is passed over and reported. */
  readonly messageLimit?: number;
  /** Most bytes of spans of one trajectory or trace. Default 512 MiB. A larger one is refused and reported. */
  readonly runLimit?: number;
  /** Bytes of spans held in memory before a temporary file is used. Default 32 MiB. */
  readonly memoryLimit?: number;
  /** Directory of the temporary file. Default: the system's. */
  readonly tempDirectory?: string;
  /** Called now and then with the bytes read so far. */
  readonly onProgress?: (bytes: number) => void;
}

/** Options with every default filled in. */
export interface ImportSettings {
  readonly states: readonly JsonlSource[];
  readonly convention: string | undefined;
  readonly messageLimit: number;
  readonly runLimit: number;
  readonly memoryLimit: number;
  readonly tempDirectory: string | undefined;
  readonly onProgress: (bytes: number) => void;
}

const MIB = 1 << 20;

/** @throws {InvalidArgumentError} for a limit that is no whole number of bytes */
export function importSettings(options: OtlpImportOptions): ImportSettings {
  const { states, convention, tempDirectory, onProgress = () => undefined } = options;
  return Object.freeze({
    states:
      states === undefined ? [] : Array.isArray(states) ? (states as JsonlSource[]) : [states as JsonlSource],
    convention,
    messageLimit: bytes("messageLimit", options.messageLimit, 256 * MIB),
    runLimit: bytes("runLimit", options.runLimit, 512 * MIB),
    memoryLimit: bytes("memoryLimit", options.memoryLimit, 32 * MIB),
    tempDirectory,
    onProgress,
  });
}

function bytes(name: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError(name, "a whole number of bytes, 1 or more", value);
}
