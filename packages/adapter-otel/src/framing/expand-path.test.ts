import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expandPath } from "./expand-path.ts";
import { openSources } from "./source.ts";

let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "asv-paths-"));
  for (const name of ["a", "b", "a/inner"]) mkdirSync(at(name));
  const files = [
    "a/t-1.jsonl",
    "a/t-2.jsonl",
    "a/u.pb",
    "a/.hidden",
    "a/inner/deep",
    "b/t-3.jsonl",
    "od*d.jsonl",
  ];
  for (const name of files) writeFileSync(at(name), "");
  symlinkSync(at("a/t-1.jsonl"), at("b/link.jsonl"));
  symlinkSync(at("b"), at("a/link-to-folder"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("expandPath", () => {
  it("takes the files of a directory, in order, without hidden ones and those further inside", async () => {
    expect(await expandPath(at("a"))).toEqual([at("a/t-1.jsonl"), at("a/t-2.jsonl"), at("a/u.pb")]);
  });

  it("takes what fits a pattern, in any part of the path", async () => {
    expect(await expandPath(at("*", "t-?.jsonl"))).toEqual([
      at("a/t-1.jsonl"),
      at("a/t-2.jsonl"),
      at("b/t-3.jsonl"),
    ]);
    expect(await expandPath(at("a", "*-*l"))).toEqual([at("a/t-1.jsonl"), at("a/t-2.jsonl")]);
    expect(await expandPath(at("[ab]", "*"))).toEqual([]);
    expect(await expandPath(at("a", ".h*"))).toEqual([at("a/.hidden")]);
  });

  it("takes a path that exists as it is, and leaves one that does not to the reader", async () => {
    expect(await expandPath(at("od*d.jsonl"))).toEqual([at("od*d.jsonl")]);
    expect(await expandPath(at("none"))).toEqual([at("none")]);
  });
});

describe("openSources", () => {
  it("reads a file once, however often it is named", async () => {
    const opened = await openSources([at("a", "t-*"), at("a"), at("b", "link.jsonl")]);
    expect(opened.map(({ name }) => name)).toEqual([at("a/t-1.jsonl"), at("a/t-2.jsonl"), at("a/u.pb")]);
  });

  it("tells a missing file before any is read, and bytes that are none", async () => {
    await expect(openSources([at("a"), at("none")])).rejects.toMatchObject({ code: "unreadable_source" });
    await expect(openSources(at("none", "*.jsonl"))).rejects.toMatchObject({ code: "unreadable_source" });
    await expect(openSources([7 as never])).rejects.toMatchObject({ code: "invalid_argument" });
  });

  it("takes bytes at once, in pieces and as a stream, each a source", async () => {
    async function* stream(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("c");
      await Promise.resolve();
    }
    const opened = await openSources([Buffer.from("a"), [Buffer.from("b"), Buffer.from("b")], stream()]);
    expect(opened.map(({ name }) => name)).toEqual(["<stream>", "<stream 2>", "<stream 3>"]);
    const texts: string[] = [];
    for (const { chunks } of opened) {
      let text = "";
      for await (const chunk of chunks()) text += String(chunk);
      texts.push(text);
    }
    expect(texts).toEqual(["a", "bb", "c"]);
  });
});
