import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const firstCode = (path: string) =>
  /^```ts\n([\s\S]+?)^```$/m.exec(readFileSync(new URL(path, import.meta.url), "utf8"))?.[1];

it("opens with the code that the adapter's own test executes", () => {
  const code = firstCode("../README.md");
  expect(code).toContain("withASVCapture");
  expect(code).toBe(firstCode("../packages/adapter-langchain/README.md"));
});
