import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../schema/index.ts";
import { openJsonlWriter } from "./jsonl-writer.ts";
import { readLines } from "./read-records.ts";
import type { ReadWarning } from "./read-warning.ts";
import { collect, temporaryFolder } from "./temporary-files.test-support.ts";

const folder = temporaryFolder();

const leftovers = (): string[] => readdirSync(folder.path(".")).filter((name) => name.endsWith(".tmp"));

describe("openJsonlWriter", () => {
  it("writes one record a line and puts the file in place on commit, not before", async () => {
    const path = folder.file("out.jsonl", "old\n");
    const writer = await openJsonlWriter(path);
    await writer.write({ b: 1, a: "é\u2028\n" });
    await writer.write({ a: [] });
    expect(readFileSync(path, "utf8")).toBe("old\n");
    await writer.commit();
    expect(readFileSync(path, "utf8")).toBe('{"b":1,"a":"é\u2028\\n"}\n{"a":[]}\n');
    expect(writer.count).toBe(2);
    expect(leftovers()).toEqual([]);
  });

  it("leaves everything as it was on abort", async () => {
    const path = folder.file("kept.jsonl", "old\n");
    const writer = await openJsonlWriter(path);
    await writer.write({ text: "x".repeat(200_000) });
    await writer.abort();
    await writer.abort();
    expect(readFileSync(path, "utf8")).toBe("old\n");
    expect(leftovers()).toEqual([]);
    const fresh = await openJsonlWriter(folder.path("never.jsonl"));
    await fresh.abort();
    expect(existsSync(folder.path("never.jsonl"))).toBe(false);
  });

  it("keeps the order of overlapping calls, with records larger and smaller than its buffer", async () => {
    const path = folder.path("overlap.jsonl");
    const records = Array.from({ length: 300 }, (_, i) => ({ i, text: "x".repeat((i % 7) * 20_000) }));
    const writer = await openJsonlWriter(path);
    await Promise.all(records.map((record) => writer.write(record)));
    await writer.commit();
    expect((await collect(readLines(path))).map(({ json }) => json)).toEqual(records);
  });

  it("gives back what was written", async () => {
    const path = folder.path("round.jsonl");
    const records = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(records, async (written) => {
        const writer = await openJsonlWriter(path);
        for (const record of written) await writer.write(record as JsonObject);
        await writer.commit();
        const back = (await collect(readLines(path))).map(({ json }) => json);
        expect(back).toEqual(written.map((record) => JSON.parse(JSON.stringify(record)) as unknown));
      }),
      { numRuns: 30 },
    );
  });

  it("refuses what JSON cannot hold, and the other records stay", async () => {
    const path = folder.path("finite.jsonl");
    const writer = await openJsonlWriter(path);
    await writer.write({ ok: 1 });
    for (const bad of [NaN, Infinity, -Infinity]) {
      await expect(writer.write({ a: [{ b: bad }] })).rejects.toMatchObject({
        code: "invalid_argument",
        message: `record.a[0].b must be finite, got ${bad}; it cannot be written as JSON.`,
      });
    }
    const cycle: JsonObject = {};
    cycle["self"] = cycle;
    await expect(writer.write(cycle)).rejects.toMatchObject({ code: "invalid_argument" });
    await expect(writer.write({ n: 1n as unknown as number })).rejects.toMatchObject({
      code: "invalid_argument",
    });
    await writer.commit();
    expect(readFileSync(path, "utf8")).toBe('{"ok":1}\n');
  });

  it("is closed after commit or abort", async () => {
    const writer = await openJsonlWriter(folder.path("closed.jsonl"));
    await writer.commit();
    await expect(writer.write({})).rejects.toMatchObject({ code: "invalid_argument" });
    await expect(writer.commit()).rejects.toMatchObject({ code: "invalid_argument" });
    await writer.abort();
    expect(existsSync(folder.path("closed.jsonl"))).toBe(true);
  });

  it("keeps the mode of a file and writes through a symbolic link", async () => {
    const target = folder.file("target.jsonl", "old\n");
    chmodSync(target, 0o600);
    symlinkSync(target, folder.path("link.jsonl"));
    const writer = await openJsonlWriter(folder.path("link.jsonl"));
    await writer.write({ a: 1 });
    await writer.commit();
    expect(readFileSync(target, "utf8")).toBe('{"a":1}\n');
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(readlinkSync(folder.path("link.jsonl"))).toBe(target);
    expect(leftovers()).toEqual([]);
  });

  it("makes the file that a dangling link names, over several links and relative to each", async () => {
    mkdirSync(folder.path("real/deep"), { recursive: true });
    symlinkSync("real/deep", folder.path("folder"));
    // Relative to the folder the link really stands in, real/deep, and not to the way there.
    symlinkSync("../fresh.jsonl", folder.path("real/deep/inner.jsonl"));
    symlinkSync("folder/inner.jsonl", folder.path("outer.jsonl"));
    const writer = await openJsonlWriter(folder.path("outer.jsonl"));
    await writer.write({ a: 1 });
    expect(existsSync(folder.path("real/fresh.jsonl"))).toBe(false);
    await writer.commit();
    expect(readFileSync(folder.path("real/fresh.jsonl"), "utf8")).toBe('{"a":1}\n');
    expect(readlinkSync(folder.path("outer.jsonl"))).toBe("folder/inner.jsonl");
    expect(readlinkSync(folder.path("real/deep/inner.jsonl"))).toBe("../fresh.jsonl");
    expect(readdirSync(folder.path("real")).toSorted()).toEqual(["deep", "fresh.jsonl"]);
  });

  it("keeps a link that leads nowhere or to itself, and names the path", async () => {
    const [lost, circle] = [folder.path("lost.jsonl"), folder.path("circle.jsonl")];
    symlinkSync("no/such/folder.jsonl", lost);
    symlinkSync("circle.jsonl", circle);
    await expect(openJsonlWriter(lost)).rejects.toMatchObject({
      message: `${lost}: cannot write it (ENOENT). Check the path.`,
    });
    await expect(openJsonlWriter(circle)).rejects.toMatchObject({
      message: `${circle}: cannot write it (ELOOP). It is a symbolic link that leads back to itself.`,
    });
    expect([readlinkSync(lost), readlinkSync(circle)]).toEqual(["no/such/folder.jsonl", "circle.jsonl"]);
  });

  it("names the path where it cannot write", async () => {
    const path = folder.path("no/such/folder.jsonl");
    await expect(openJsonlWriter(path)).rejects.toMatchObject({
      code: "unreadable_source",
      message: `${path}: cannot write it (ENOENT). Check the path.`,
    });
    await expect(openJsonlWriter(path, { append: true })).rejects.toMatchObject({
      code: "unreadable_source",
    });
  });

  it.skipIf(!existsSync("/dev/full"))("reports a full disk from then on, and never crashes", async () => {
    const writer = await openJsonlWriter("/dev/full");
    const large = { text: "x".repeat(100_000) };
    const writes = await Promise.allSettled([writer.write(large), writer.write(large)]);
    for (const write of writes) {
      expect(write).toMatchObject({ status: "rejected", reason: { code: "unreadable_source" } });
      expect(String((write as PromiseRejectedResult).reason)).toMatch(/ENOSPC\)\. Free some space/);
    }
    await expect(writer.write({})).rejects.toThrow(/ENOSPC/);
    await expect(writer.commit()).rejects.toThrow(/ENOSPC/);
  });
});

describe("openJsonlWriter to append", () => {
  async function append(path: string, ...records: JsonObject[]): Promise<ReadWarning[]> {
    const warnings: ReadWarning[] = [];
    const onWarning = (warning: ReadWarning): void => void warnings.push(warning);
    const writer = await openJsonlWriter(path, { append: true, onWarning });
    for (const record of records) await writer.write(record);
    await writer.commit();
    return warnings;
  }

  it("adds to a file, or begins one", async () => {
    const path = folder.path("append.jsonl");
    await append(path, { a: 1 });
    await append(path, { a: 2 }, { a: 3 });
    expect(readFileSync(path, "utf8")).toBe('{"a":1}\n{"a":2}\n{"a":3}\n');
  });

  it("has each record in the file when its write resolves", async () => {
    const path = folder.path("durable.jsonl");
    const writer = await openJsonlWriter(path, { append: true });
    await writer.write({ a: 1 });
    expect(readFileSync(path, "utf8")).toBe('{"a":1}\n');
    await writer.abort();
    expect(readFileSync(path, "utf8")).toBe('{"a":1}\n');
  });

  it("ends a whole last line that has no line feed", async () => {
    const path = folder.file("unended.jsonl", '{"a":1}\n{"a":2}');
    expect(await append(path, { a: 3 })).toEqual([]);
    expect(readFileSync(path, "utf8")).toBe('{"a":1}\n{"a":2}\n{"a":3}\n');
  });

  it.each(["", '{"a":1}\n', `{"a":"${"x".repeat(70_000)}"}\n`])(
    "cuts off a torn last line, says so, and the file reads again (%#)",
    async (before) => {
      const torn = `{"a":"${"é".repeat(50_000)}`;
      const path = folder.file("mended.jsonl", before + torn);
      const warnings = await append(path, { b: 1 });
      expect(warnings.map(({ code }) => code)).toEqual(["torn_line"]);
      expect(warnings[0]!.message).toContain(`${Buffer.byteLength(torn)} bytes`);
      expect(readFileSync(path, "utf8")).toBe(`${before}{"b":1}\n`);
    },
  );
});
