// Says loudly that a suite did not run and why: node test/skip.mjs <suite> "<reason>"
const [suite, reason] = process.argv.slice(2);
console.warn(`SKIPPED test:${suite}: ${reason}`);
