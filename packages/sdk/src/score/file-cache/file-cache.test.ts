import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256Hex } from "../../schema/index.ts";
import { fileCache } from "./index.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "asv-cache-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Keys of one file, so that tests of a file need not look for it. */
const keyOf = (n: number) => `0${sha256Hex(`key ${n}`).slice(1)}`;
const file = () => join(directory, "replies-0.jsonl");
const lines = () => readFileSync(file(), "utf8").split("\n");

describe("fileCache", () => {
  it("gives back what was put, in this run and the next", async () => {
    const values = [{ text: "line\nend \u2028 é 😀" }, ["a", 1.5, null], "x".repeat(300_000), false, 0, null];
    const cache = fileCache(directory);
    for (const [n, value] of values.entries()) await cache.put(keyOf(n), value);
    const next = fileCache(directory);
    for (const [n, value] of values.entries()) {
      expect(await cache.get(keyOf(n))).toEqual(value);
      expect(await next.get(keyOf(n))).toEqual(value);
    }
    expect(await cache.get(keyOf(99))).toBeUndefined();
    await Promise.all([cache.close(), next.close()]);
  });

  it("is one JSON line a reply, in sixteen files by the key's first digit", async () => {
    const cache = fileCache(directory);
    for (let n = 0; n < 200; n++) await cache.put(sha256Hex(`${n}`), { n });
    await cache.close();
    const names = readdirSync(directory).toSorted();
    expect(names).toEqual("0123456789abcdef".split("").map((digit) => `replies-${digit}.jsonl`));
    const rows = names.flatMap((name) => readFileSync(join(directory, name), "utf8").trimEnd().split("\n"));
    const parsed = rows.map((row) => JSON.parse(row) as { key: string; value: { n: number } });
    expect(parsed.map(({ value }) => value.n).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 200 }, (_, n) => n),
    );
    for (const { key, value } of parsed) expect(key).toBe(sha256Hex(`${value.n}`));
  });

  it("passes over a torn last line and starts the next one on a line of its own", async () => {
    const first = fileCache(directory);
    await first.put(keyOf(1), { n: 1 });
    await first.put(keyOf(2), { n: 2, long: "y".repeat(500) });
    await first.close();
    // Cut at every kind of place: in the value, in the key, in the opening.
    const whole = statSync(file()).size;
    for (const cut of [2, 300, 510, 560, 580]) {
      truncateSync(file(), whole - cut);
      const cache = fileCache(directory);
      expect(await cache.get(keyOf(1))).toEqual({ n: 1 });
      expect(await cache.get(keyOf(2))).toBeUndefined();
      await cache.put(keyOf(2), { n: 2 });
      await cache.put(keyOf(3), { n: 3 });
      expect(await cache.get(keyOf(2))).toEqual({ n: 2 });
      await cache.close();
      const again = fileCache(directory);
      for (const n of [1, 2, 3]) expect(await again.get(keyOf(n))).toEqual({ n });
      await again.close();
      const readable = lines().filter((line) => line.endsWith("}"));
      expect(readable.length).toBeGreaterThanOrEqual(3);
      writeFileSync(
        file(),
        `{"key":"${keyOf(1)}","value":{"n":1}}\n{"key":"${keyOf(2)}","value":{"n":2,"long":"${"y".repeat(500)}"}}\n`,
      );
    }
  });

  it("a last line that lacks only its line feed is whole once another follows", async () => {
    const first = fileCache(directory);
    await first.put(keyOf(1), "one");
    await first.close();
    truncateSync(file(), statSync(file()).size - 1);
    const cache = fileCache(directory);
    expect(await cache.get(keyOf(1))).toBeUndefined();
    await cache.put(keyOf(2), "two");
    expect([await cache.get(keyOf(1)), await cache.get(keyOf(2))]).toEqual(["one", "two"]);
    await cache.close();
  });

  it("passes over lines that are something else", async () => {
    writeFileSync(
      file(),
      `\nnot json\n{"key":"short"}\n{"key":"${keyOf(1)}"garbage}\n[]\n{"key":"${keyOf(1)}","value":7}\n`,
    );
    const cache = fileCache(directory);
    expect(await cache.get(keyOf(1))).toBe(7);
    expect(await cache.get(keyOf(2))).toBeUndefined();
    await cache.close();
  });

  it("sees what another process appended, and keeps the first of two equal keys", async () => {
    const [mine, theirs] = [fileCache(directory), fileCache(directory)];
    await mine.put(keyOf(1), "first");
    expect(await theirs.get(keyOf(1))).toBe("first");
    await theirs.put(keyOf(2), "theirs");
    expect(await mine.get(keyOf(2))).toBe("theirs");
    await theirs.put(keyOf(1), "second");
    expect(await mine.get(keyOf(1))).toBe("first");
    const later = fileCache(directory);
    expect(await later.get(keyOf(1))).toBe("first");
    await Promise.all([mine.close(), theirs.close(), later.close()]);
  });

  it("repairs a line that another process tore while this one had the file open", async () => {
    const cache = fileCache(directory);
    await cache.put(keyOf(1), 1);
    appendFileSync(file(), `{"key":"${keyOf(2)}","val`);
    await cache.put(keyOf(3), 3);
    for (const [n, value] of [
      [1, 1],
      [2, undefined],
      [3, 3],
    ] as const)
      expect(await cache.get(keyOf(n))).toBe(value);
    await cache.close();
  });

  it("finds a key whose line starts at the edge of a read", async () => {
    // Values sized so that line starts fall on, before and after multiples of 65,536 bytes.
    const cache = fileCache(directory);
    for (let n = 0; n < 40; n++) await cache.put(keyOf(n), "z".repeat(16_384 - 90 + n));
    const next = fileCache(directory);
    for (let n = 39; n >= 0; n--) expect(await next.get(keyOf(n))).toHaveLength(16_384 - 90 + n);
    await Promise.all([cache.close(), next.close()]);
  });

  it("refuses a path that is a file, a key that is none, and use after closing", async () => {
    writeFileSync(join(directory, "plain"), "");
    expect(() => fileCache(join(directory, "plain"))).toThrow(
      expect.objectContaining({ code: "unreadable_source" }),
    );
    const cache = fileCache(directory);
    await expect(cache.get("../../etc/passwd")).rejects.toThrow(/64 lower-case hex/);
    await cache.close();
    await expect(cache.get(keyOf(1))).rejects.toThrow(/was closed/);
  });
});
