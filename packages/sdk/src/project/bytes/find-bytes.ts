import { utf8ToBytes } from "@noble/hashes/utils.js";
import { decodeBase64 } from "./base64.ts";
import { describeBytes, readMediaType, type BytesDescription } from "./describe-bytes.ts";

/** Binary content found in a text, at [start, end). */
export interface FoundBytes {
  readonly start: number;
  readonly end: number;
  readonly description: BytesDescription;
}

/** Shortest unbroken base64 run taken for a payload when nothing around it says so. */
const SHORTEST_RUN = 512;
/** Shortest one where a media type stands beside it. */
const SHORTEST_DECLARED = 64;

const IN_RUN = new Uint8Array(0x1_00_00);
for (const c of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_") {
  IN_RUN[c.charCodeAt(0)] = 1;
}

const DATA_URI =
  /data:(?:([a-z]{1,32}\/[a-z0-9][a-z0-9.+-]{0,98})((?:;[a-z0-9-]{1,32}=[^;,\s"']{0,128}){0,4})(;base64)?|((?:;[a-z0-9-]{1,32}=[^;,\s"']{0,128}){0,4});base64),/iy;
const BASE64_BODY = /[A-Za-z0-9+/_-]*(?:(?:\\n|\\r|[\r\n])+[A-Za-z0-9+/_-]{16,})*(?:=|%3D){0,2}/y;
const PERCENT_BODY = /[^\s"'<>\\()[\]{}]*/y;

function percentBytes(body: string): Uint8Array {
  try {
    return utf8ToBytes(decodeURIComponent(body));
  } catch {
    return utf8ToBytes(body);
  }
}

function dataUriAt(text: string, at: number): FoundBytes | undefined {
  DATA_URI.lastIndex = at;
  const head = DATA_URI.exec(text);
  if (head === null) return undefined;
  const isBase64 = head[1] === undefined || head[3] !== undefined;
  const start = at + head[0].length;
  const body = isBase64 ? BASE64_BODY : PERCENT_BODY;
  body.lastIndex = start;
  const content = body.exec(text)?.[0] ?? "";
  const bytes = isBase64 ? decodeBase64(content.replaceAll(/\\[nr]/g, "")) : percentBytes(content);
  const type = readMediaType(head[1]) ?? "text/plain";
  return { start: at, end: start + content.length, description: describeBytes(bytes, type) };
}

/** Sequences and repeated letters use the same alphabet; a payload mixes cases and digits. */
function looksEncoded(text: string, start: number, end: number): boolean {
  const sample = text.slice(start, Math.min(end, start + SHORTEST_RUN));
  if (/[-_]/.test(sample) && /[+/]/.test(sample)) return false;
  return /[A-Z]/.test(sample) && /[a-z]/.test(sample) && /[0-9]/.test(sample);
}

function describeRun(text: string, start: number, end: number, declared?: string): FoundBytes {
  return { start, end, description: describeBytes(decodeBase64(text.slice(start, end)), declared) };
}

function lineBreakAt(text: string, at: number): number {
  if (text.charCodeAt(at) === 10) return 1;
  return text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10 ? 2 : 0;
}

/** End of the run, over line breaks where the lines are long enough to be a wrapped payload. */
function runEnd(text: string, from: number): number {
  let end = from;
  for (;;) {
    const line = end;
    while (end < text.length && IN_RUN[text.charCodeAt(end)] === 1) end += 1;
    const gap = lineBreakAt(text, end);
    if (gap === 0 || end - line < 60) return end;
    let next = end + gap;
    while (next < end + gap + 16 && IN_RUN[text.charCodeAt(next)] === 1) next += 1;
    if (next < end + gap + 16) return end;
    end += gap;
  }
}

/** Long runs, looking only at every 60th character until one is found: near-free on prose. */
function findRuns(text: string, found: FoundBytes[]): void {
  const step = 60;
  let start = 0;
  while (start + step <= text.length) {
    let last = start + step - 1;
    while (last >= start && IN_RUN[text.charCodeAt(last)] === 1) last -= 1;
    if (last >= start) {
      start = last + 1;
      continue;
    }
    let end = runEnd(text, start);
    const long = end - start >= SHORTEST_RUN && looksEncoded(text, start, end);
    if (long) {
      for (let pad = 0; pad < 2 && text.charCodeAt(end) === 61; pad += 1) end += 1;
      found.push(describeRun(text, start, end));
    }
    start = end + 1;
  }
}

/** Every data URI and every long base64 run of a text, in order, not overlapping. */
export function findBytes(text: string): FoundBytes[] {
  const found: FoundBytes[] = [];
  for (let at = text.indexOf("data:"); at >= 0; at = text.indexOf("data:", at + 5)) {
    const uri = dataUriAt(text, at);
    if (uri === undefined) continue;
    found.push(uri);
    at = Math.max(at, uri.end - 5);
  }
  if (text.length >= SHORTEST_RUN) findRuns(text, found);
  if (found.length < 2) return found;
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return found.filter((item) => {
    const apart = item.start >= end;
    if (apart) end = item.end;
    return apart;
  });
}

/** The description of a whole string that is binary content, where `declared` is a sibling's media type. */
export function bytesOfString(text: string, declared?: string): BytesDescription | undefined {
  const least = declared === undefined ? SHORTEST_RUN : SHORTEST_DECLARED;
  if (text.length < least || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  if (!looksEncoded(text, 0, text.length)) return undefined;
  return describeBytes(decodeBase64(text), declared);
}
