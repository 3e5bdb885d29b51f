// The main job, start to end, on the stored runs of this folder: import, check, freeze, score, report.
//   npm run quickstart
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const asv = fileURLToPath(new URL("bin/asv.js", import.meta.resolve("@agent-step-value/cli/package.json")));
const data = "examples/quickstart/data/evidence-questions.asv.jsonl";
const out = "quickstart-out";

/** Runs one asv command as a person would type it, and stops the walk when it fails. */
function run(why: string, args: string, allowed: readonly number[] = [0]): void {
  console.log(`\n# ${why}\n$ npx asv ${args}`);
  const { status } = spawnSync(process.execPath, [asv, ...split(args)], { cwd: root, stdio: "inherit" });
  if (status === null || !allowed.includes(status)) process.exit(status ?? 1);
}

/** Words of a command; quotes hold words together. */
function split(args: string): string[] {
  return [...args.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "");
}

mkdirSync(`${root}${out}`, { recursive: true });
run("28 stored agent runs become trajectories", `import asv-v1 ${data} --out ${out}/runs.asv.jsonl`);
run("are they valid, and is a secret left in them?", `check ${out}/runs.asv.jsonl --redaction`);
run(
  "the candidate answers were reviewed by the author of the data; freeze them",
  `candidates freeze ${out}/runs.asv.jsonl --reviewer "author of the data"`,
);
run(
  "what will scoring cost?",
  `score ${out}/runs.asv.jsonl --evaluator lexical --protocol direct --dry-run --cache ${out}/cache`,
);
run(
  "score every candidate in every frozen state; a second run asks nothing again",
  `score ${out}/runs.asv.jsonl --evaluator lexical --protocol direct --cache ${out}/cache --out ${out}/scores.jsonl`,
);
run(
  "which steps helped, which hurt?",
  `report ${out}/runs.asv.jsonl ${out}/scores.jsonl --labels loses-evidence,corrupts-evidence --out ${out}/report`,
);
console.log(`\nEvery number is in ${out}/report. Next: README.md, "Use it on your own runs".`);
