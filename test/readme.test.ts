import { readFileSync } from "node:fs";
import * as sdk from "@agent-step-value/sdk";
import { expect, it } from "vitest";

const firstCode = (path: string) =>
  /^```ts\n([\s\S]+?)^```$/m.exec(readFileSync(new URL(path, import.meta.url), "utf8"))?.[1];

it("opens with the code that the adapter's own test executes", () => {
  const code = firstCode("../README.md");
  expect(code).toContain("withASVCapture");
  expect(code).toBe(firstCode("../packages/adapter-langchain/README.md"));
});

it("runs the code that the SDK's README opens with", async () => {
  const code = firstCode("../packages/sdk/README.md")!.replace(
    /^import (\{[^}]+\}) from "[^"]+";$/m,
    "const $1 = sdk;",
  );
  const printed: unknown[][] = [];
  // oxlint-disable-next-line typescript/no-implied-eval -- the code of our own README
  new Function("sdk", "console", code)(sdk, { log: (...values: unknown[]) => printed.push(values) });
  const [[entropyMovement], [surprise], [marginGain, damage]] = printed as [
    [number],
    [number],
    [number, boolean],
  ];
  expect(entropyMovement).toBeGreaterThan(0);
  expect(surprise).toBeGreaterThan(1);
  // (-6.0 - -0.02) - (-0.1 - -3.2) = -5.98 - 3.1
  expect(marginGain).toBeCloseTo(-9.08, 12);
  expect(damage).toBe(true);
});
