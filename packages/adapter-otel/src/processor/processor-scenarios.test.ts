import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "vitest";
import { scenarios } from "./scenarios/index.test-support.ts";
import { kit } from "./scenarios/otel-kit-2.test-support.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asv-processor-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

// Each scenario asserts for itself, so that test/otel-3 can run the same on the next line of the SDK.
describe(`the span processor on SDK ${kit.line}`, () => {
  it.each(scenarios)("$name", async (scenario) => {
    await scenario.run(kit, (name) => join(folder, name));
  });
});
