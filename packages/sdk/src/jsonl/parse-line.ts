import { InvalidRecordError } from "../errors/index.ts";
import type { RawLine } from "./line-splitter.ts";
import { nodeModule } from "./node-module.ts";
import type { OnWarning } from "./read-warning.ts";
import { syntaxProblem } from "./syntax-problem.ts";

/** Returned for a line that holds no record: blank, or a torn last one. */
export const NO_RECORD = Symbol("no record");

/**
 * Parses one line. A last line without line feed that is not JSON is torn: reported and skipped.
 *
 * @throws {InvalidRecordError} for a line that is not UTF-8 or not JSON
 */
export function parseLine(raw: RawLine, source: string, onWarning: OnWarning): unknown {
  const bytes = raw.line === 1 ? withoutByteOrderMark(raw, source) : raw.bytes;
  if (isBlank(bytes)) return NO_RECORD;
  const place = { source, line: raw.line };
  let problem: string;
  let text = decode(bytes);
  if (text === undefined) {
    problem = "the line is not valid UTF-8. Save the file as UTF-8.";
  } else {
    const repaired = replaceLoneSurrogates(text);
    text = repaired.text;
    try {
      const json: unknown = JSON.parse(text);
      if (repaired.count > 0) {
        const message = `${source}:${raw.line}: replaced ${repaired.count} lone surrogate(s) by U+FFFD.`;
        onWarning({ code: "lone_surrogate", message, ...place });
      }
      return json;
    } catch (error) {
      problem = syntaxProblem(text, error);
    }
  }
  // NaN is no sign of a cut: a whole record can end with it.
  if (raw.terminated || /^-?(?:NaN|Infinity) /.test(problem))
    throw new InvalidRecordError(place, "", problem);
  const message = `${source}:${raw.line}: the last line is cut off after ${bytes.length} bytes and was skipped.`;
  onWarning({ code: "torn_line", message, ...place });
  return NO_RECORD;
}

let isUtf8: typeof import("node:buffer").isUtf8 | undefined;

/** Undefined for bytes that are not UTF-8 or more text than a string can hold. */
function decode(bytes: Buffer): string | undefined {
  isUtf8 ??= nodeModule("node:buffer").isUtf8;
  if (!isUtf8(bytes)) return undefined;
  return bytes.toString("utf8");
}

function withoutByteOrderMark({ bytes }: RawLine, source: string): Buffer {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.subarray(3);
  const start = bytes.subarray(0, 2).toString("hex");
  const what =
    start === "fffe" || start === "feff" ? "UTF-16 text" : start === "1f8b" ? "gzip data" : undefined;
  if (what === undefined) return bytes;
  const problem = `the file is ${what}. Records are read as UTF-8 text; convert it first.`;
  throw new InvalidRecordError({ source, line: 1 }, "", problem);
}

/** Blank for JSON: spaces, tabs and carriage returns only. */
function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  return true;
}

/**
 * UTF-8 cannot hold half a surrogate pair, so it can only stand there as an escape. Everything
 * after a backslash is passed over in step, so that an escaped backslash is not taken for one.
 */
function replaceLoneSurrogates(text: string): { text: string; count: number } {
  if (!text.includes("\\ud") && !text.includes("\\uD")) return { text, count: 0 };
  let count = 0;
  const pair =
    /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|[^])/g;
  const replaced = text.replace(pair, (escape, lone: string | undefined) => {
    if (lone === undefined) return escape;
    count++;
    return "\\ufffd";
  });
  return { text: replaced, count };
}
