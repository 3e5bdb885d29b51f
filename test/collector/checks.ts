let passed = 0;
let failed = 0;

/** Notes that something must hold, and says so. */
export function check(what: string, ok: boolean, detail = ""): void {
  if (ok) passed++;
  else failed++;
  console.log(`${ok ? "ok" : "FAILED"}: ${what}${detail === "" ? "" : ` (${detail})`}`);
}

/** The last line of the run, and its exit code. */
export function finish(): number {
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
