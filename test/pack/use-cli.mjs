// The packed command on the host's Node: from a run's text to step values.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const asv = (...args) =>
  execFileSync(process.execPath, ["node_modules/@agent-step-value/cli/bin/asv.js", ...args], {
    encoding: "utf8",
  });

const question = "Why did the fountain run red?";
writeFileSync(
  "run.txt",
  [
    "Thought: look at the steward's log",
    "Action: search[fountain]",
    "Observation: The steward wrote that ochre clay washed down from the upper quarry.",
    "Thought: that settles it",
    "Action: Finish[ochre clay from the quarry]",
    "",
  ].join("\n"),
);
assert.match(asv("--version"), /^\d+\.\d+\.\d+\n$/);
asv("import", "react", "run.txt", "--question", question, "--out", "runs.jsonl");
const answers = ["ochre clay from the quarry", "iron flakes from the pipe", "spilled dye"];
const set = [
  "--task-id",
  "run",
  "--question",
  question,
  "--target",
  "1",
  "--out",
  "sets.jsonl",
  "--gold-out",
  "gold.jsonl",
];
asv("candidates", "new", ...set, ...answers.flatMap((text) => ["--answer", text]));
asv("candidates", "attach", "runs.jsonl", "--candidates", "sets.jsonl", "--gold", "gold.jsonl");
asv("candidates", "freeze", "runs.jsonl", "--reviewer", "a stranger");
asv("score", "runs.jsonl", "--out", "scores.jsonl");
const summary = JSON.parse(asv("report", "runs.jsonl", "scores.jsonl", "--out", "report", "--json"));
assert.equal(summary.counts.measured, 2);
assert.ok(summary.margin_gain.mean > 0, "reading the answer moves belief toward it");
asv("score", "runs.jsonl", "--protocol", "candidate-only", "--out", "blind.jsonl");
const { comparisons } = JSON.parse(asv("compare", "runs.jsonl", "scores.jsonl", "blind.jsonl", "--json"));
assert.equal(comparisons[0].all.b.mean, summary.margin_gain.mean);
const both = ["runs.jsonl", "scores.jsonl", "blind.jsonl"];
asv("report", ...both, "--html", "report.html", "--gate", "mean_margin_gain>0");
assert.match(readFileSync("report.html", "utf8"), /<svg/);
assert.ok(readFileSync("report/steps.jsonl", "utf8").includes("margin_gain"));
console.log(`asv works on ${process.version}: mean margin gain ${summary.margin_gain.mean.toFixed(3)} nats`);
