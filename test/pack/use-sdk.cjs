// The same package through require(), which Node 20.19 and later allow for ES modules.
const assert = require("node:assert/strict");
const { diagnoseTransition } = require("@agent-step-value/sdk");

const still = diagnoseTransition({ before: [{ a: -1, b: -2 }], after: [{ a: -1, b: -2 }], targetId: "a" });
assert.equal(still.surprise, 0);
assert.equal(still.marginGain, 0);
console.log(`sdk works through require() on ${process.version}`);
