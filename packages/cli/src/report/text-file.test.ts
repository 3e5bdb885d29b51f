import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTextFile, writeTextFile } from "./text-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asv-text-file-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);

describe("a text file", () => {
  it("appears whole on commit, and not before", async () => {
    writeFileSync(at("a.csv"), "old");
    const file = await openTextFile(at("a.csv"));
    await file.write("new ");
    await file.write("text");
    expect(readFileSync(at("a.csv"), "utf8")).toBe("old");
    await file.commit();
    expect(readFileSync(at("a.csv"), "utf8")).toBe("new text");
    expect(readdirSync(folder)).toEqual(["a.csv"]);
  });

  it("leaves what was there when it is given up", async () => {
    writeFileSync(at("a.csv"), "old");
    const file = await openTextFile(at("a.csv"));
    await file.write("new");
    await file.abort();
    expect(readFileSync(at("a.csv"), "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["a.csv"]);
  });

  it("replaces what a link names, through links of links, and leaves the links", async () => {
    mkdirSync(at("store"));
    writeFileSync(at("store/a.csv"), "old", { mode: 0o640 });
    symlinkSync("store/a.csv", at("inner"));
    symlinkSync("inner", at("outer"));
    await writeTextFile(at("outer"), "new");
    expect(lstatSync(at("outer")).isSymbolicLink()).toBe(true);
    expect(lstatSync(at("inner")).isSymbolicLink()).toBe(true);
    expect(readFileSync(at("store/a.csv"), "utf8")).toBe("new");
    expect(statSync(at("store/a.csv")).mode & 0o777).toBe(0o640);
    expect(readdirSync(at("store"))).toEqual(["a.csv"]);
  });

  it("makes the file a link names where there is none yet", async () => {
    mkdirSync(at("store"));
    symlinkSync("store/new.csv", at("link"));
    await writeTextFile(at("link"), "text");
    expect(lstatSync(at("link")).isSymbolicLink()).toBe(true);
    expect(readFileSync(at("store/new.csv"), "utf8")).toBe("text");
  });

  it("writes to a device and does not replace it", async () => {
    symlinkSync("/dev/null", at("nowhere"));
    await writeTextFile(at("nowhere"), "text");
    expect(lstatSync(at("nowhere")).isSymbolicLink()).toBe(true);
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  it("writes more than it holds back, in order, whether or not anybody waits", async () => {
    const file = await openTextFile(at("a.csv"));
    const writes = Array.from({ length: 30_000 }, (_, i) => file.write(`row ${i}\n`));
    await file.commit();
    await Promise.all(writes);
    expect(readFileSync(at("a.csv"), "utf8")).toBe(
      Array.from({ length: 30_000 }, (_, i) => `row ${i}\n`).join(""),
    );
  });

  it.skipIf(!existsSync("/dev/full"))("says that the disk is full", async () => {
    await expect(writeTextFile("/dev/full", "text")).rejects.toMatchObject({
      message: "/dev/full: cannot be written (ENOSPC); the disk is full.",
    });
  });

  it.each(["loop", "missing/a.csv"])("names a path it cannot write: %s", async (name) => {
    symlinkSync("loop", at("loop"));
    await expect(writeTextFile(at(name), "text")).rejects.toMatchObject({
      code: "unreadable_source",
      message: expect.stringMatching(/cannot be written \((ELOOP|ENOENT)\)/),
    });
  });
});
