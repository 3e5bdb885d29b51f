import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeTrajectory } from "@agent-step-value/sdk";
import { fixtureTrajectory } from "@agent-step-value/sdk/testing";
import { OTLPTraceExporter as GrpcExporter } from "@opentelemetry/exporter-trace-otlp-grpc";
import { OTLPTraceExporter as HttpExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { asv } from "./asv-command.ts";
import { captureRuns, type CaptureOptions } from "./capture-runs.ts";
import { check } from "./checks.ts";
import { startCollector, type Collector } from "./collector.ts";
import { compareRuns, lossesOf, type Comparison } from "./compare-runs.ts";
import { framingsIn } from "./framings.ts";
import { importFiles, type Imported } from "./import-files.ts";
import type { Workshop } from "./round-trip.ts";

/** Runs whose every state has about 15 KB, near the most that rides on a span. */
const HEAVY = { trajectories: 1, seed: 1, initial: 12_000, added: 1 };

/** Limits set on purpose: what is lost is counted by name, and nothing that arrives is wrong. */
export async function checkLimits(shop: Workshop): Promise<void> {
  await valueLengthLimit(shop);
  await grpcLimit(shop);
  await httpLimit(shop);
  await rotationLimit(shop);
  await stateBeyondHttpLimit(shop);
}

/** A host whose SDK cuts long attribute values: every state is cut, none comes back as something else. */
async function valueLengthLimit(shop: Workshop): Promise<void> {
  const tested = await capture(shop, "value-length-limit", {
    trajectories: 20,
    seed: 2,
    exporterTo: ({ http }) => new HttpExporter({ url: `${http}/v1/traces` }),
    attributeValueLengthLimit: 64,
  });
  const { result, imported } = await readBack(shop, tested, 0);
  const { missingStates, ...others } = result;
  check(
    "attributeValueLengthLimit 64: every step arrives in order, every state is missing, none is wrong",
    missingStates > 0 &&
      result.equalStates === 0 &&
      lossesOf({ ...others, missingStates: 0 }) === "" &&
      imported.status === 4,
    `${result.steps} steps, ${missingStates} states missing; exit ${imported.status}; the report says ${JSON.stringify(imported.report["states"])}`,
  );
}

/** A batch above 4 MiB through gRPC is refused whole; the exporter says so, and asv export sends the same runs. */
async function grpcLimit(shop: Workshop): Promise<void> {
  const tested = await capture(shop, "grpc-4-mib", {
    ...HEAVY,
    steps: 200,
    maxExportBatchSize: 512,
    exporterTo: ({ grpc }) => new GrpcExporter({ url: grpc }),
  });
  const { result } = await readBack(shop, tested, 0);
  const lost = tested.failures.reduce((sum, { spans }) => sum + spans, 0);
  check(
    "a batch above 4 MiB through gRPC: refused whole, and the exporter counts it",
    lost > 0 &&
      result.missingSteps === tested.steps &&
      tested.failures.every(({ reason }) => reason.startsWith("8:")),
    `${tested.failures.length} batch of ${lost} spans, ${tested.failures[0]?.reason}; ${lossesOf(result)}`,
  );
  await checkResend(shop, tested, []);
}

/** A batch above 20 MiB through HTTP likewise; asv export halves it until it fits. */
async function httpLimit(shop: Workshop): Promise<void> {
  const tested = await capture(shop, "http-20-mib", {
    ...HEAVY,
    steps: 800,
    maxExportBatchSize: 1000,
    exporterTo: ({ http }) => new HttpExporter({ url: `${http}/v1/traces`, timeoutMillis: 60_000 }),
  });
  const { result } = await readBack(shop, tested, 0);
  const lost = tested.failures.reduce((sum, { spans }) => sum + spans, 0);
  check(
    "a batch above 20 MiB through HTTP: refused whole, and the exporter counts it",
    lost > 0 && result.missingSteps === tested.steps,
    `${tested.failures.length} batch of ${lost} spans, ${tested.failures[0]?.reason}; ${lossesOf(result)}`,
  );
  await checkResend(shop, tested, ["--max-request-bytes", "100000000", "--timeout", "120000"]);
}

/** A batch above max_megabytes: the file exporter drops it there, and only there. */
async function rotationLimit(shop: Workshop): Promise<void> {
  const tested = await capture(shop, "rotation-1-mb", {
    ...HEAVY,
    steps: 64,
    exporterTo: ({ http }) => new HttpExporter({ url: `${http}/v1/traces` }),
  });
  const whole = await readBack(shop, tested, 0);
  const rotated = await readBack(shop, tested, 4);
  check(
    "a batch above rotation.max_megabytes: the rotated files miss it, the Collector says so, the others have it",
    lossesOf(whole.result) === "" &&
      rotated.result.missingSteps > 0 &&
      /exceeds maximum file size/.test(tested.log),
    `rotated: ${lossesOf(rotated.result)}; exit ${rotated.imported.status}`,
  );
}

/** One state above 20 MiB cannot be sent: it is named, the step arrives without it. */
async function stateBeyondHttpLimit(shop: Workshop): Promise<void> {
  const truth = join(shop.folder, "huge.asv.jsonl");
  const states = [{ text: "small" }, { text: "x".repeat(21 * 1024 * 1024) }, { text: "small again" }];
  writeFileSync(truth, `${JSON.stringify(encodeTrajectory(fixtureTrajectory({ states })))}\n`);
  const collector = await startCollector(shop.program, {
    config: shop.config,
    out: join(shop.folder, "huge"),
  });
  const { status, stderr } = await asv("export", truth, "--as", "otlp", "--endpoint", collector.http);
  const log = await collector.stop();
  const { result, imported } = await readBack(shop, { truth, collector, log, steps: 2, failures: [] }, 0);
  check(
    "a state above 20 MiB: the sender names it, all else arrives, the import says what is missing",
    status === 4 &&
      /1 log records did not arrive: HTTP \d+, too large/.test(stderr) &&
      lossesOf(result) === "missingStates 2" &&
      imported.status === 4,
    `${stderr.split("\n")[1] ?? ""}; ${lossesOf(result)}`,
  );
}

interface Tested {
  readonly truth: string;
  readonly collector: Collector;
  readonly log: string;
  readonly steps: number;
  readonly failures: { spans: number; reason: string }[];
}

async function capture(
  { program, config, folder }: Workshop,
  name: string,
  options: Omit<CaptureOptions, "file" | "exporter"> & {
    exporterTo: (at: Collector) => CaptureOptions["exporter"];
  },
): Promise<Tested> {
  const truth = join(folder, `${name}.asv.jsonl`);
  const collector = await startCollector(program, { config, out: join(folder, name) });
  const captured = await captureRuns({ ...options, exporter: options.exporterTo(collector), file: truth });
  const log = await collector.stop();
  return { truth, collector, log, steps: captured.steps, failures: [...captured.failures] };
}

async function readBack(
  { folder }: Workshop,
  { truth, collector }: Tested,
  framing: number,
): Promise<{ result: Comparison; imported: Imported }> {
  const out = join(folder, `imported-${framing}.jsonl`);
  writeFileSync(out, "");
  const imported = await importFiles(framingsIn(collector.out)[framing]!.files, out);
  return { imported, result: await compareRuns(truth, out) };
}

/** The runs that the exporter could not deliver, sent from their JSONL. */
async function checkResend(shop: Workshop, { truth, steps }: Tested, options: string[]): Promise<void> {
  const collector = await startCollector(shop.program, { config: shop.config, out: `${truth}.resent` });
  const { status, stderr } = await asv(
    "export",
    truth,
    "--as",
    "otlp",
    "--endpoint",
    collector.http,
    ...options,
  );
  const log = await collector.stop();
  const { result } = await readBack(shop, { truth, collector, log, steps, failures: [] }, 0);
  check(
    "asv export delivers the same runs",
    status === 0 && lossesOf(result) === "",
    `${stderr.split("\n")[0]}; ${lossesOf(result)}`,
  );
}
