import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppendFile, atProcessExit, leaveProcessExit } from "./index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asv-append-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("AppendFile", () => {
  it("writes the same bytes for a line in pieces as for the whole line, of any length and script", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      // 3 bytes a unit, so that lines fall on both sides of the shared buffer's 131,072 bytes.
      fc.integer({ min: 1, max: 50_000 }).map((length) => "€".repeat(length)),
    );
    const property = fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
      const path = join(folder, "a.jsonl");
      rmSync(path, { force: true });
      const file = AppendFile.of(path);
      try {
        expect(file.append([...pieces, "\n"])).toBe(true);
        expect(file.append(`${pieces.join("")}\n`)).toBe(true);
      } finally {
        file.release();
      }
      const line = Buffer.concat([...pieces.map((text) => Buffer.from(text)), Buffer.from("\n")]);
      const written = readFileSync(path);
      expect(written.length).toBe(2 * line.length);
      expect(written.equals(Buffer.concat([line, line]))).toBe(true);
    });
    fc.assert(property, { numRuns: 40 });
  });

  it("is one file for all users of a path, says what it cut off once, and closes with the last", () => {
    const path = join(folder, "a.jsonl");
    appendFileSync(path, '{"whole":1}\n{"torn":');
    const one = AppendFile.of(path);
    const two = AppendFile.of(path);
    expect(two).toBe(one);
    expect(one.append('{"n":1}\n')).toBe(true);
    expect(two.takeTorn()).toContain("torn last line of 8 bytes");
    expect(one.takeTorn()).toBeUndefined();
    one.release();
    expect(two.append('{"n":2}\n')).toBe(true);
    two.release();
    expect(two.append('{"n":3}\n')).toBe(false);
    expect(readFileSync(path, "utf8")).toBe('{"whole":1}\n{"n":1}\n{"n":2}\n');
  });

  it("stops for good with its first failure, and says which", () => {
    const file = AppendFile.of(join(folder, "missing/a.jsonl"));
    expect(file.failure).toBeUndefined();
    expect(file.append('{"secret":1}\n')).toBe(false);
    expect(file.failure).toMatch(/cannot write .*missing.a\.jsonl: Error ENOENT\./);
    expect(file.failure).not.toContain("secret");
    file.release();
  });
});

describe("atProcessExit", () => {
  it("puts one listener up, whoever has work, and takes it off when nobody has", () => {
    const listeners = process.listenerCount("exit");
    const takeBack = [atProcessExit(() => undefined), atProcessExit(() => undefined)];
    expect(process.listenerCount("exit")).toBe(listeners + 1);
    takeBack[0]!();
    leaveProcessExit();
    expect(process.listenerCount("exit")).toBe(listeners + 1);
    takeBack[1]!();
    expect(process.listenerCount("exit")).toBe(listeners + 1);
    leaveProcessExit();
    expect(process.listenerCount("exit")).toBe(listeners);
  });
});
