import { describe, expect, it } from "vitest";
import { importAsvV1 } from "./import-asv-v1.ts";
import { createImportRun } from "./import-run.ts";
import { importFormat, importers } from "./importers.ts";

describe("importFormat", () => {
  it("knows every importer by name", () => {
    for (const name of Object.keys(importers)) expect(importFormat(name)).toBe(name);
  });

  it.each(["whoandwhen", "", "__proto__", "toString"])("refuses %j and lists the known", (name) => {
    expect(() => importFormat(name)).toThrow(
      expect.objectContaining({
        code: "unknown_format",
        message: expect.stringContaining("asv-v1, who-and-when, pubmedqa, react"),
      }),
    );
  });
});

describe("createImportRun", () => {
  it("keeps a hundred warnings and counts them all, by any code", async () => {
    const run = importAsvV1([]);
    const warned = createImportRun("test", (log) => {
      for (let i = 0; i < 150; i++) log.warn(i === 0 ? "__proto__" : "odd", `warning ${i}`);
      return run;
    });
    for await (const trajectory of warned) expect(trajectory).toBeUndefined();
    expect(warned.report.warnings).toHaveLength(100);
    expect(Object.entries(warned.report.warningCounts)).toEqual([
      ["__proto__", 1],
      ["odd", 149],
    ]);
  });
});
