import { open, type FileHandle } from "node:fs/promises";
import { fileError } from "./file-error.ts";
import { handleOutput, type Output } from "./output.ts";
import type { OnWarning } from "./read-warning.ts";

const LINE_FEED = 0x0a;
const CHUNK = 1 << 16;

/**
 * Opens a file to add lines to. A last line without line feed gets one if it is whole; if a killed
 * writer left it torn it is cut off and reported, since a torn line inside a file is an error to
 * every reader.
 */
export async function appendFile(path: string, onWarning: OnWarning): Promise<Output> {
  try {
    await mendEnd(path, onWarning);
    return handleOutput(path, await open(path, "a"));
  } catch (error) {
    throw fileError(path, "write it", error);
  }
}

async function mendEnd(path: string, onWarning: OnWarning): Promise<void> {
  // "a+" creates the file; only the handle below may change its length.
  const handle = await open(path, "a+");
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size === 0) return;
    const start = await lastLineStart(handle, stats.size);
    if (start === stats.size) return;
    if (await isJson(handle, start, stats.size)) {
      await handle.appendFile("\n");
      return;
    }
    await handle.truncate(start);
    const message = `${path}: cut off a torn last line of ${stats.size - start} bytes before adding to the file.`;
    onWarning({ code: "torn_line", message, source: path, line: 0 });
  } finally {
    await handle.close();
  }
}

/** Offset behind the last line feed. */
async function lastLineStart(handle: FileHandle, size: number): Promise<number> {
  const buffer = Buffer.alloc(CHUNK);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - CHUNK);
    const { bytesRead } = await handle.read(buffer, 0, end - start, start);
    const found = buffer.subarray(0, bytesRead).lastIndexOf(LINE_FEED);
    if (found !== -1) return start + found + 1;
    end = start;
  }
  return 0;
}

async function isJson(handle: FileHandle, start: number, end: number): Promise<boolean> {
  const bytes = Buffer.alloc(end - start);
  await handle.read(bytes, 0, bytes.length, start);
  try {
    JSON.parse(bytes.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}
