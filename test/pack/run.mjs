// Packs the packages, checks the tarballs, installs them in an empty folder and uses them as a
// stranger would, on the Node of the host (npm scripts run on the Node that the checkout brings).
//   npm run build && npm run test:pack
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const packages = ["sdk", "adapter-langchain", "adapter-otel", "adapter-ai-sdk", "cli"];
/** What hosts of the adapters have installed; the versions that the checkout is tested on. */
const hosts = [
  "@opentelemetry/api",
  "@opentelemetry/otlp-transformer",
  "@opentelemetry/sdk-trace-base",
  "langchain",
  "@langchain/core",
  "@langchain/langgraph",
  "@langchain/langgraph-checkpoint",
  "zod",
];
const work = mkdtempSync(join(tmpdir(), "asv-pack-"));
let passed = 0;

/** The host's own Node: the first one on PATH that the checkout did not bring. */
function hostNode() {
  const folders = process.env.PATH.split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const found = folders.map((folder) => join(folder, "node")).find((file) => existsSync(file));
  return found ?? process.execPath;
}

function run(command, args, options = {}) {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], ...options });
}

function check(name, body) {
  try {
    body();
  } catch (error) {
    console.error(`FAILED ${name}\n${error.stdout ?? ""}${error.stderr ?? ""}${error.stack}`);
    rmSync(work, { recursive: true, force: true });
    process.exit(1);
  }
  passed++;
  console.log(`ok ${name}`);
}

const bin = (name) => join(root, "node_modules", ".bin", name);
const tarballs = {};
for (const name of packages) {
  const folder = join(root, "packages", name);
  check(`${name}: packs what it should`, () => {
    const [info] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", work], { cwd: folder }));
    tarballs[name] = join(work, info.filename);
    const files = info.files.map((file) => file.path);
    assert.ok(
      files.some((file) => file.startsWith("dist/")),
      "dist is in the tarball; run `npm run build` first",
    );
    assert.deepEqual(
      files.filter((file) => /\.test\.|golden|\.tsbuildinfo|\.env/.test(file)),
      [],
    );
    for (const name of ["LICENSE", "README.md"]) assert.ok(files.includes(name), `${name} is in the tarball`);
    assert.ok(info.size < 1_000_000, `tarball of ${info.size} bytes is under 1 MB`);
  });
  check(`${name}: publint`, () => run(bin("publint"), ["--strict", tarballs[name]], { cwd: root }));
}
for (const name of packages.filter((name) => name !== "cli")) {
  check(`${name}: are the types wrong`, () =>
    run(bin("attw"), [tarballs[name], "--profile", "esm-only", "--no-color"], { cwd: root }),
  );
}

const consumer = join(work, "consumer");
mkdirSync(consumer);
writeFileSync(
  join(consumer, "package.json"),
  JSON.stringify({ name: "consumer", private: true, type: "module" }),
);
const node = hostNode();
check(`installs, on ${run(node, ["--version"]).trim()}`, () => {
  const { packages: locked } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const versions = hosts.map((name) => `${name}@${locked[`node_modules/${name}`].version}`);
  const majors = ["ai-v5", "ai-v6"].map((name) => `${name}@npm:ai@${locked[`node_modules/${name}`].version}`);
  run(
    "npm",
    [
      "install",
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      ...Object.values(tarballs),
      ...versions,
      ...majors,
    ],
    {
      cwd: consumer,
    },
  );
});
for (const script of [
  "use-sdk.mjs",
  "use-sdk.cjs",
  "use-cli.mjs",
  "use-langchain.mjs",
  "use-otel.mjs",
  "use-ai-sdk.mjs",
]) {
  check(script, () => {
    writeFileSync(join(consumer, script), readFileSync(new URL(script, import.meta.url)));
    const output = run(node, [script], { cwd: consumer });
    if (output.trim() !== "") console.log(output.trim().replaceAll(/^/gm, "  "));
  });
}
check("types reach a strict consumer", () => {
  writeFileSync(join(consumer, "consumer.ts"), readFileSync(new URL("consumer.ts.txt", import.meta.url)));
  writeFileSync(
    join(consumer, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: { module: "nodenext", target: "es2022", strict: true, noEmit: true, types: [] },
      files: ["consumer.ts"],
    }),
  );
  run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", consumer]);
});

rmSync(work, { recursive: true, force: true });
console.log(`\n${passed} passed, 0 failed`);
