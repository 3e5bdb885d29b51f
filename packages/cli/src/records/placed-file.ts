import { randomUUID } from "node:crypto";
import { open, rename, rm, stat } from "node:fs/promises";
import { AsvError } from "@agent-step-value/sdk";
import { linkedPath } from "@agent-step-value/sdk/jsonl";
import { openUnfinished, type UnfinishedOutput } from "./unfinished-outputs.ts";

/** A file that appears whole or not at all; nothing of it stays where it is given up or interrupted. */
export type PlacedFile = UnfinishedOutput<string | Uint8Array>;

/**
 * Opens a file to write beside its final name. As with record files, a symbolic link stays a link: the
 * file it names is replaced, or made where there is none yet. What is no file proper (a pipe, `/dev/null`) is
 * written to directly.
 *
 * @throws AsvError `unreadable_source` naming the path, here and from whatever is done with it
 */
export function openPlacedFile(path: string): Promise<PlacedFile> {
  return openUnfinished(() => openBeside(path));
}

async function openBeside(path: string): Promise<PlacedFile> {
  const target = await guard(path, linkedPath(path));
  const old = await stat(target).catch(() => undefined);
  if (old?.isDirectory() === true) throw cannotWrite(path, "EISDIR", "it is a folder; name a file");
  const isDirect = old !== undefined && !old.isFile();
  const written = isDirect ? target : `${target}.${randomUUID()}.tmp`;
  const handle = await guard(path, open(written, isDirect ? "w" : "wx", old?.mode));
  return {
    write: (item) => guard(path, handle.appendFile(item)),
    commit: async () => {
      if (!isDirect) await guard(path, handle.sync());
      await guard(path, handle.close());
      if (!isDirect) await guard(path, rename(written, target));
    },
    abort: async () => {
      await handle.close().catch(() => undefined);
      if (!isDirect) await rm(written, { force: true }).catch(() => undefined);
    },
  };
}

async function guard<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code = "error" } = error as NodeJS.ErrnoException;
    throw cannotWrite(path, code, ADVICE[code], error);
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "a part of the path is no folder",
  EACCES: "check the permissions",
  EPERM: "check the permissions",
  EROFS: "nothing can be written there",
  ENOSPC: "the disk is full",
  ELOOP: "it is a symbolic link that leads back to itself",
};

function cannotWrite(path: string, code: string, advice: string | undefined, cause?: unknown): AsvError {
  const message = `${path}: cannot be written (${code})${advice === undefined ? "" : `; ${advice}`}.`;
  return new AsvError("unreadable_source", message, { source: path }, cause);
}
