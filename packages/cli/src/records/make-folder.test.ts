import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeFolder } from "./make-folder.ts";

function place() {
  const folder = mkdtempSync(join(tmpdir(), "asv-make-folder-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return (name: string) => join(folder, name);
}

describe("makeFolder", () => {
  it("makes what is missing, once, also for several at a time and through a link", async () => {
    const at = place();
    await Promise.all([makeFolder(at("a/b/c")), makeFolder(at("a/b/d")), makeFolder(at("a/b/c"))]);
    await makeFolder(at("a/b/c"));
    expect(statSync(at("a/b/c")).isDirectory()).toBe(true);
    symlinkSync("a", at("link"));
    await makeFolder(at("link/b/e"));
    expect(statSync(at("a/b/e")).isDirectory()).toBe(true);
  });

  it("names the folder that cannot be made", async () => {
    const at = place();
    writeFileSync(at("file"), "");
    for (const name of ["file", "file/below"]) {
      await expect(makeFolder(at(name))).rejects.toMatchObject({
        code: "unreadable_source",
        message: expect.stringMatching(/^.*file.*: cannot be made a folder \((EEXIST|ENOTDIR)\)\.$/),
      });
    }
  });

  it.skipIf(!existsSync("/proc/self"))("ends where a file system takes no folder", async () => {
    await expect(makeFolder("/proc/no-such-folder/tables")).rejects.toMatchObject({
      message: "/proc/no-such-folder/tables: cannot be made a folder (ENOENT).",
    });
  });
});
