// Capture, export and import through a real OpenTelemetry Collector: npm run test:collector
//   --trajectories 1000   --keep FOLDER
// Builds the Collector with Go and the official modules, once. Where that cannot be done it says SKIPPED and
// ends with 0.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildCollector } from "./build-collector.ts";
import { check, finish } from "./checks.ts";
import { checkEvaluations } from "./evaluations.ts";
import { checkExample } from "./example.ts";
import { checkLimits } from "./limits.ts";
import { exportRoundTrip, liveRoundTrip, type Workshop } from "./round-trip.ts";
import { Skip, saySkipped } from "./skip.ts";
import { checkTransports } from "./transports.ts";

const { values: flags } = parseArgs({
  options: { trajectories: { type: "string", default: "1000" }, keep: { type: "string" } },
});

async function main(program: string): Promise<void> {
  const folder = flags.keep ?? mkdtempSync(join(tmpdir(), "asv-collector-"));
  mkdirSync(folder, { recursive: true });
  const config = fileURLToPath(new URL("collector.yaml", import.meta.url));
  const shop: Workshop = { program, config, folder };
  try {
    const truth = await liveRoundTrip(shop, Number(flags.trajectories));
    await exportRoundTrip(shop, truth);
    await checkTransports(shop);
    await checkEvaluations(shop);
    await checkLimits(shop);
    await checkExample(shop);
  } finally {
    if (flags.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

let program: string | undefined;
try {
  program = await buildCollector();
  check("the Collector is built from the official modules", true);
} catch (error) {
  if (error instanceof Skip) saySkipped(error.message);
  else check("the Collector is built from the official modules", false, String(error));
}
if (program !== undefined) await main(program);
process.exitCode = finish();
