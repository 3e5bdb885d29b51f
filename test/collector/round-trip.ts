import { join } from "node:path";
import { statSync } from "node:fs";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { asv } from "./asv-command.ts";
import { captureRuns } from "./capture-runs.ts";
import { check } from "./checks.ts";
import { startCollector, type Collector } from "./collector.ts";
import { compareRuns, lossesOf } from "./compare-runs.ts";
import { framingsIn, NATIVE_COMPRESSION, type Framing } from "./framings.ts";
import { importFiles } from "./import-files.ts";

/** What every part of the suite needs. */
export interface Workshop {
  /** The built Collector, and the configuration that writes every framing. */
  readonly program: string;
  readonly config: string;
  /** A folder of its own. */
  readonly folder: string;
}

/** Live capture -> official exporter -> Collector -> every framing -> import. Gives the file of the truth. */
export async function liveRoundTrip(shop: Workshop, trajectories: number): Promise<string> {
  const truth = join(shop.folder, "live.asv.jsonl");
  const collector = await startCollector(shop.program, {
    config: shop.config,
    out: join(shop.folder, "live"),
  });
  const exporter = new OTLPTraceExporter({ url: `${collector.http}/v1/traces`, timeoutMillis: 60_000 });
  const { steps, failures } = await captureRuns({ exporter, file: truth, trajectories, seed: 11 });
  await stopQuietly(collector);
  check(`${trajectories} runs, ${steps} steps captured and sent by OTLP HTTP`, failures.length === 0);
  for (const framing of framingsIn(collector.out)) await checkFraming("live", framing, truth, shop.folder);
  return truth;
}

/**
 * Stored runs -> asv export -> Collector with whole-file compression -> every framing -> import: the other
 * half, with states as log records. What comes back must be the stored run but for what must not travel.
 */
export async function exportRoundTrip(shop: Workshop, truth: string): Promise<void> {
  const out = join(shop.folder, "exported");
  const options = { config: shop.config, out, gates: [NATIVE_COMPRESSION] };
  const collector = await startCollector(shop.program, options);
  const words = ["export", truth, "--as", "otlp", "--inline-limit", "2000", "--endpoint", collector.http];
  const first = await asv(...words);
  check("asv export delivers all", first.status === 0, first.stderr.trim().split("\n")[0]);
  await stopQuietly(collector);
  for (const framing of framingsIn(out, "one zstd stream"))
    await checkFraming("exported", framing, truth, shop.folder, true);
}

/** Imports one framing and holds it to the truth. */
async function checkFraming(
  what: string,
  framing: Framing,
  truth: string,
  folder: string,
  exact = false,
): Promise<void> {
  const out = join(folder, "imported.jsonl");
  const { status, stderr } = await importFiles(framing.files, out);
  const result = await compareRuns(truth, out, exact);
  const losses = lossesOf(result);
  const size = framing.files.reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  check(
    `${what}, ${framing.name}: equal digests, equal order, ${exact ? "equal fields, " : ""}nothing lost`,
    status === 0 && losses === "",
    `${result.trajectories} runs, ${result.steps} steps, ${result.equalStates} states, ${size} bytes${losses && `; ${losses}`}${status === 0 ? "" : `; exit ${status}: ${stderr}`}`,
  );
}

/** Stops a Collector that must have had nothing to complain about. */
async function stopQuietly(collector: Collector): Promise<void> {
  const log = await collector.stop();
  check("the Collector logs no error", !/\terror\t/.test(log), log.slice(0, 500));
}
