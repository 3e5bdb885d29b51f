import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeDirectory } from "./make-directory.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asv-directory-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe("makeDirectory", () => {
  it("makes what is missing, and leaves what is there", () => {
    const deep = join(folder, "a", "b", "c");
    makeDirectory(deep);
    makeDirectory(deep);
    expect(statSync(deep).isDirectory()).toBe(true);
  });

  it("refuses a file in the way, at the end and within", () => {
    writeFileSync(join(folder, "file"), "");
    expect(() => makeDirectory(join(folder, "file"))).toThrow("EEXIST");
    expect(() => makeDirectory(join(folder, "file", "below"))).toThrow("ENOTDIR");
  });

  it.skipIf(!existsSync("/proc/self"))("ends where the file system takes no directory", () => {
    expect(() => makeDirectory("/proc/asv-cache")).toThrow("ENOENT");
    expect(() => makeDirectory("/proc/asv-cache/below/it")).toThrow("ENOENT");
  });
});
