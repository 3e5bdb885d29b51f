import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Feature gate of the file exporter: one zstd stream a file instead of a frame a batch. */
export const NATIVE_COMPRESSION = "exporter.file.nativeCompression";

/** Files of one framing, as a user would hand them to the import. */
export interface Framing {
  readonly name: string;
  readonly files: string[];
}

/** The framings that `collector.yaml` writes, each with its files of both signals. */
export function framingsIn(out: string, compression = "zstd a batch"): Framing[] {
  const named = (...names: string[]) => names.map((name) => join(out, name));
  const rotated = readdirSync(join(out, "rotated")).map((name) => join(out, "rotated", name));
  return [
    { name: "JSON lines", files: named("traces.jsonl", "logs.jsonl") },
    { name: "protobuf, length-prefixed", files: named("traces.pb", "logs.pb") },
    { name: `JSON, ${compression}`, files: named("traces.jsonl.zst", "logs.jsonl.zst") },
    { name: `protobuf, ${compression}`, files: named("traces.pb.zst", "logs.pb.zst") },
    { name: `JSON lines, ${rotated.length} rotated files`, files: [...rotated, ...named("logs.jsonl")] },
  ];
}
