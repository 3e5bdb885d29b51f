// The main job, start to end. First an agent runs and is captured; then the same commands measure the
// stored runs of this folder.
//   npm run quickstart
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const asv = fileURLToPath(new URL("bin/asv.js", import.meta.resolve("@agent-step-value/cli/package.json")));
const out = "quickstart-out";

/** Runs one command in the checkout, and stops the walk when it fails. */
function run(args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** An asv command as a person would type it. Quotes hold words together. */
function runAsv(why: string, command: string): void {
  console.log(`\n# ${why}\n$ npx asv ${command}`);
  run([asv, ...[...command.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "")]);
}

/** Freeze, score and report a file of runs. */
function measure(name: string, reviewer: string, reportOptions = ""): void {
  const scoring = `score ${out}/${name}.asv.jsonl --evaluator lexical --cache ${out}/cache --protocol direct`;
  runAsv(
    "the candidate answers were reviewed; freeze them",
    `candidates freeze ${out}/${name}.asv.jsonl --reviewer "${reviewer}"`,
  );
  runAsv("what will scoring cost?", `${scoring} --dry-run`);
  runAsv(
    "score every candidate in every frozen state; a second run asks nothing again",
    `${scoring} --out ${out}/${name}.scores.jsonl`,
  );
  runAsv(
    "the same states once more, through a channel that is shown the evidence alone",
    `${scoring}@evidence --out ${out}/${name}.evidence-scores.jsonl`,
  );
  const files = `${out}/${name}.asv.jsonl ${out}/${name}.scores.jsonl ${out}/${name}.evidence-scores.jsonl`;
  runAsv(
    "which steps helped, which hurt?",
    `report ${files} --protocol direct ${reportOptions} --out ${out}/${name}-report --html ${out}/${name}-report.html`,
  );
  runAsv("how much of that is the channel?", `compare ${files} --out ${out}/${name}-channels`);
}

mkdirSync(`${root}${out}`, { recursive: true });

console.log("## 1. An agent, captured while it runs\n");
console.log("# a LangChain agent with two tools, wrapped by withASVCapture(); its model follows a script");
run([
  "--conditions=@agent-step-value/source",
  "examples/quickstart/capture-live.ts",
  `${out}/live.asv.jsonl`,
  `${out}/live.candidates.jsonl`,
]);
runAsv("is it whole, and is a secret left in it?", `check ${out}/live.asv.jsonl --redaction`);
runAsv(
  "candidates and targets come from a file that the agent never sees",
  `candidates attach ${out}/live.asv.jsonl --candidates ${out}/live.candidates.jsonl`,
);
measure("live", "author of the example");

console.log("\n\n## 2. Stored runs: 28 invented evidence questions with marked losses");
runAsv(
  "live records of many runs become trajectories",
  `import asv-v1 examples/quickstart/data/evidence-questions.asv.jsonl --out ${out}/stored.asv.jsonl`,
);
runAsv("are they valid?", `check ${out}/stored.asv.jsonl --redaction`);
measure("stored", "author of the data", "--labels loses-evidence,corrupts-evidence");
console.log(
  `\nOpen ${out}/stored-report.html in a browser; every number is in ${out}/*-report. Next: README.md, "Measure your own runs".`,
);
