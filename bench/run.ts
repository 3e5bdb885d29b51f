// Side-by-side measurements, printed and never asserted.
//   npm run bench              all of them
//   npm run bench -- lexical   one or some by name
const benches: Readonly<Record<string, () => Promise<{ run: () => Promise<void> }>>> = {
  redaction: () => import("./redaction.ts"),
  metrics: () => import("./metrics.ts"),
  lexical: () => import("./lexical.ts"),
  coverage: () => import("./coverage.ts"),
  "study-coverage": () => import("./study-coverage.ts"),
  "summarize-scale": () => import("./summarize-scale.ts"),
  "otlp-import": () => import("./otlp-import.ts"),
  scoring: () => import("./scoring.ts"),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`no bench ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}`);
  process.exit(1);
}
console.log(`node ${process.version} on ${process.platform} ${process.arch}`);
for (const name of asked.length > 0 ? asked : Object.keys(benches)) {
  console.log(`\n## ${name}`);
  const { run } = await benches[name]!();
  await run();
}
