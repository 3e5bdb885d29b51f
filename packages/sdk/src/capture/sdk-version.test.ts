import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { SDK_VERSION } from "./sdk-version.ts";

it("SDK_VERSION is the package's version", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  expect(SDK_VERSION).toBe(manifest.version);
});
