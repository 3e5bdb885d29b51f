import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { measureRuns } from "../../examples/otel-collector/measure.ts";
import { check } from "./checks.ts";
import { startCollector } from "./collector.ts";
import { compareRuns, lossesOf } from "./compare-runs.ts";
import type { Workshop } from "./round-trip.ts";

const example = fileURLToPath(new URL("../../examples/otel-collector", import.meta.url));

/** The example with its own configuration: captured by us, and by another project's instrumentation. */
export async function checkExample({ program, folder }: Workshop): Promise<void> {
  for (const as of ["asv", "openinference"]) {
    const place = join(folder, `example-${as}`);
    mkdirSync(place, { recursive: true });
    const config = join(example, "collector.yaml");
    const collector = await startCollector(program, { config, out: join(place, "otel") });
    const [file, candidates] = [join(place, "live.asv.jsonl"), join(place, "candidates.jsonl")];
    const words = ["--endpoint", collector.http, "--as", as, "--file", file, "--candidates", candidates];
    const child = spawn(
      process.execPath,
      ["--conditions=@agent-step-value/source", join(example, "run.ts"), ...words],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    const [status] = (await once(child, "exit")) as [number | null];
    await collector.stop();
    check(`example, ${as}: the agent runs`, status === 0);
    const { summary, runs } = measureRuns([join(collector.out, "traces.jsonl")], candidates, place);
    const counts = summary["counts"] as Record<string, number>;
    check(`example, ${as}: imported, scored and reported`, counts["measured"]! > 0, JSON.stringify(counts));
    if (as === "asv") {
      const losses = lossesOf(await compareRuns(file, runs));
      check(
        "example, asv: what the Collector wrote is what the agent's own JSONL has",
        losses === "",
        losses,
      );
    }
  }
}
