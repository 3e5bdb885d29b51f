// The span processor's scenarios on the 3.x line of the OpenTelemetry SDK: npm run test:otel-3
//   --only TEXT   those whose name has the text
// Installs the packages in this folder. Where they cannot be had it says SKIPPED and ends with 0.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import assert from "node:assert/strict";
import { withTwoCopies } from "../../packages/adapter-otel/src/processor/scenarios/api-copies.test-support.ts";
import { scenarios } from "../../packages/adapter-otel/src/processor/scenarios/index.test-support.ts";
import type { OtelKit } from "../../packages/adapter-otel/src/processor/scenarios/otel-kit.test-support.ts";
import { kit as kit2 } from "../../packages/adapter-otel/src/processor/scenarios/otel-kit-2.test-support.ts";
import type { Scenario } from "../../packages/adapter-otel/src/processor/scenarios/scenario.test-support.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const SCENARIO_LIMIT_MS = 60_000;

/** Why the packages are not there, or undefined. */
function missingPackages(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 15))
    return `the 3.x line needs Node 22.15, this is ${process.version}`;
  if (isInstalled()) return undefined;
  const { status, stderr, error } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
    encoding: "utf8",
    timeout: 300_000,
  });
  if (status === 0) return undefined;
  return `npm ci in test/otel-3 failed: ${error?.message ?? stderr.trim().split("\n").at(-1)}`;
}

/** True where what npm installed last is what the lockfile says. */
function isInstalled(): boolean {
  const installed = join(folder, "node_modules/.package-lock.json");
  if (!existsSync(installed)) return false;
  const versions = (file: string): Map<string, string> => {
    const { packages } = JSON.parse(readFileSync(file, "utf8")) as {
      packages: Record<string, { version: string }>;
    };
    return new Map(
      Object.entries(packages).flatMap(([name, { version }]) => (name === "" ? [] : [[name, version]])),
    );
  };
  const there = versions(installed);
  return [...versions(join(folder, "package-lock.json"))].every(
    ([name, version]) => there.get(name) === version,
  );
}

/** Both lines installed, as in a host that moves from one to the other. */
const bothLines: Scenario[] = [
  {
    name: "application on API 1.9.1 and SDK 2.x, the agent's SDK on API 1.10.0: told once, a provider handed over works",
    async run(_, path) {
      const newer = pathToFileURL(createRequire(import.meta.url).resolve("@opentelemetry/api")).href;
      const { outcome, stepsInOwnFile } = await withTwoCopies(kit2, newer, path);
      assert.deepEqual(outcome, {
        registered: true,
        otel: "inactive",
        problems: ["otel_inactive"],
        byGlobal: 0,
        byGiven: 3,
      });
      assert.equal(stepsInOwnFile, 6);
    },
  },
  {
    name: "application on API 1.10.0 and SDK 3.x, the agent's SDK on API 1.9.1: its spans reach the processor",
    async run(kit, path) {
      const { outcome, stepsInOwnFile } = await withTwoCopies(
        kit,
        import.meta.resolve("@opentelemetry/api"),
        path,
      );
      assert.deepEqual(outcome, { registered: true, otel: "active", problems: [], byGlobal: 6, byGiven: 3 });
      assert.equal(stepsInOwnFile, 6);
    },
  },
];

async function passes(scenario: Scenario, kit: OtelKit): Promise<boolean> {
  const own = mkdtempSync(join(tmpdir(), "asv-otel-3-"));
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`took more than ${SCENARIO_LIMIT_MS} ms`)),
        SCENARIO_LIMIT_MS,
      );
    });
    await Promise.race([scenario.run(kit, (name) => join(own, name)), limit]);
    console.log(`ok: ${scenario.name}`);
    return true;
  } catch (error) {
    console.log(`FAILED: ${scenario.name}\n${error instanceof Error ? error.stack : String(error)}`);
    return false;
  } finally {
    clearTimeout(timer);
    rmSync(own, { recursive: true, force: true });
  }
}

const { values: flags } = parseArgs({ options: { only: { type: "string", default: "" } } });
const missing = missingPackages();
let passed = 0;
let failed = 0;
if (missing !== undefined) console.warn(`SKIPPED test:otel-3: ${missing}`);
else {
  const { kit } = (await import("./otel-kit-3.ts")) as { kit: OtelKit };
  console.log(`OpenTelemetry SDK ${kit.line}, API ${kit.apiVersion}, Node ${process.version}`);
  for (const scenario of [...scenarios, ...bothLines]) {
    if (!scenario.name.includes(flags.only)) continue;
    if (await passes(scenario, kit)) passed++;
    else failed++;
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
