// Makes the Collector's files that packages/adapter-otel keeps as fixtures, from made-up runs of our own:
//   node --conditions=@agent-step-value/source test/collector/make-fixtures.ts
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { asvDone } from "./asv-command.ts";
import { buildCollector } from "./build-collector.ts";
import { captureRuns } from "./capture-runs.ts";
import { startCollector } from "./collector.ts";
import { NATIVE_COMPRESSION } from "./framings.ts";

const config = fileURLToPath(new URL("collector.yaml", import.meta.url));
const fixtures = fileURLToPath(new URL("../../packages/adapter-otel/fixtures/collector", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "asv-fixtures-"));
const truth = join(folder, "runs.asv.jsonl");
const program = await buildCollector();

const live = await startCollector(program, { config, out: join(folder, "live") });
const exporter = new OTLPTraceExporter({ url: `${live.http}/v1/traces` });
await captureRuns({ exporter, file: truth, trajectories: 2, seed: 5, steps: 3, initial: 40, added: 40 });
await live.stop();

// The same runs from the file: with states as log records, and through the other kind of compression.
for (const [name, gates] of [
  ["exported", []],
  ["native", [NATIVE_COMPRESSION]],
] as const) {
  const collector = await startCollector(program, { config, out: join(folder, name), gates });
  const limit = name === "exported" ? "0" : "16384";
  await asvDone("export", truth, "--as", "otlp", "--endpoint", collector.http, "--inline-limit", limit);
  await collector.stop();
}

rmSync(fixtures, { recursive: true, force: true });
mkdirSync(fixtures, { recursive: true });
copyFileSync(config, join(fixtures, "collector.yaml"));
copyFileSync(truth, join(fixtures, "runs.asv.jsonl"));
// Of each kind once: rotation needs a megabyte, and an empty file says nothing but in a zstd stream.
for (const [name, kept] of [
  ["live", /^traces\./],
  ["exported", /^(traces|logs)\./],
  ["native", /\.zst$/],
] as const) {
  mkdirSync(join(fixtures, name));
  for (const file of readdirSync(join(folder, name)).filter((candidate) => kept.test(candidate))) {
    copyFileSync(join(folder, name, file), join(fixtures, name, file));
  }
}
rmSync(folder, { recursive: true, force: true });
console.log(`wrote ${fixtures}`);
