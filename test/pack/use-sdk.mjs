// A stranger's first program, as an ES module on the packed SDK.
import assert from "node:assert/strict";
import { diagnoseTransition, lexicalEvaluator, protocols, summarize } from "@agent-step-value/sdk";
import { readTrajectories } from "@agent-step-value/sdk/jsonl";
import { fileCache, score } from "@agent-step-value/sdk/score";
import { scriptedEvaluator } from "@agent-step-value/sdk/testing";

const pivot = diagnoseTransition({
  before: [{ a: 0, b: -20, c: -20, d: -20 }],
  after: [{ a: -20, b: 0, c: -20, d: -20 }],
  targetId: "b",
});
assert.equal(pivot.surprise.toFixed(4), "15.1936");
assert.equal(pivot.marginGain, 40);
assert.equal(pivot.repair, true);
for (const part of [lexicalEvaluator, summarize, readTrajectories, fileCache, score, scriptedEvaluator]) {
  assert.equal(typeof part, "function");
}
assert.equal(typeof protocols.direct, "object");
console.log(`sdk works as ESM on ${process.version}`);
