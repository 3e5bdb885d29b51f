import { join } from "node:path";
import { OTLPTraceExporter as GrpcExporter } from "@opentelemetry/exporter-trace-otlp-grpc";
import { OTLPTraceExporter as ProtoExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { captureRuns } from "./capture-runs.ts";
import { check } from "./checks.ts";
import { startCollector } from "./collector.ts";
import { compareRuns, lossesOf } from "./compare-runs.ts";
import { framingsIn } from "./framings.ts";
import { importFiles } from "./import-files.ts";
import type { Workshop } from "./round-trip.ts";

/** The two other ways in: protobuf over HTTP, and gRPC. */
export async function checkTransports({ program, config, folder }: Workshop): Promise<void> {
  for (const [name, exporterTo] of [
    ["OTLP HTTP, protobuf", (url: { http: string }) => new ProtoExporter({ url: `${url.http}/v1/traces` })],
    ["OTLP gRPC", (url: { grpc: string }) => new GrpcExporter({ url: url.grpc })],
  ] as const) {
    const out = join(folder, name);
    const truth = join(folder, `${name}.asv.jsonl`);
    const collector = await startCollector(program, { config, out });
    const { steps, failures } = await captureRuns({
      exporter: exporterTo(collector),
      file: truth,
      trajectories: 50,
      seed: 3,
    });
    await collector.stop();
    const imported = join(folder, "imported.jsonl");
    const { status } = await importFiles(framingsIn(out)[0]!.files, imported);
    const losses = lossesOf(await compareRuns(truth, imported));
    check(
      `${name}: equal digests, equal order, nothing lost`,
      status === 0 && failures.length === 0 && losses === "",
      `50 runs, ${steps} steps${losses && `; ${losses}`}`,
    );
  }
}
