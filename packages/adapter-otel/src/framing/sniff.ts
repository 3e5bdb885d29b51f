import type { ByteWindow } from "./byte-window.ts";
import { isJsonSpace, JsonScanner } from "./json-scanner.ts";
import { isSkippableFrame, isZstdFrame } from "./zstd-header.ts";

/** How a stream is framed, told by its first bytes and never by its name. */
export type Framing =
  | { readonly kind: "empty" | "zstd" | "gzip" | "json-lines" | "json" | "length-prefixed" | "protobuf" }
  | { readonly kind: "unknown"; readonly reason: string }
  | { readonly kind: "short" };

const PEEK = 1 << 16;
const LINE_FEED = 0x0a;
const OPEN_BRACE = 0x7b;

/** Looks at the beginning of a stream; only a byte order mark and blanks before JSON are consumed. */
export async function sniff(window: ByteWindow, messageLimit: number): Promise<Framing> {
  const here = await window.fill(PEEK);
  if (here === 0) return { kind: "empty" };
  const head = window.unread;
  if (isZstdFrame(head) || isSkippableFrame(head)) return { kind: "zstd" };
  if (head[0] === 0x1f && head[1] === 0x8b) return { kind: "gzip" };
  if (head[0] === 0xff && head[1] === 0xfe) return { kind: "unknown", reason: "the source is UTF-16 text" };
  if (head[0] === 0xfe && head[1] === 0xff) return { kind: "unknown", reason: "the source is UTF-16 text" };
  const binary = sniffBinary(head);
  if (binary !== undefined) return binary;
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) window.consume(3);
  return sniffText(window, messageLimit);
}

function sniffBinary(head: Buffer): Framing | undefined {
  if (isTextStart(head)) return undefined;
  // Collectors write no empty messages, but nothing forbids them.
  let at = 0;
  while (head.length >= at + 4 && head.readUInt32BE(at) === 0) at += 4;
  const first = head[at + 4];
  const isFrame = first === 0x0a || first === OPEN_BRACE || beginsZstd(head.subarray(at + 4));
  if (head[0] !== 0x0a) return isFrame ? { kind: "length-prefixed" } : undefined;
  // Either a length above 160 MiB, or a message itself: field 1, a resource's group.
  if (isResourceGroup(head)) return { kind: "protobuf" };
  return isFrame ? { kind: "length-prefixed" } : undefined;
}

/** Is this the magic number of a zstd frame, or as much of it as is there? */
function beginsZstd(bytes: Buffer): boolean {
  const magic = [0x28, 0xb5, 0x2f, 0xfd];
  return bytes.length > 0 && magic.every((byte, at) => (bytes[at] ?? byte) === byte);
}

/** Does JSON begin here, behind blanks? A printable first byte also makes a length above 512 MiB. */
function isTextStart(head: Buffer): boolean {
  const first = head.find((byte) => !isJsonSpace(byte));
  return first === OPEN_BRACE || first === 0x5b || head[0]! >= 0x20;
}

/** Field 1 holding a group whose own first field is a resource or its spans, both messages. */
function isResourceGroup(head: Buffer): boolean {
  const outer = varint(head, 1);
  const tag = head[outer.end];
  if (tag !== 0x0a && tag !== 0x12) return false;
  return varint(head, outer.end + 1).value <= outer.value;
}

function varint(bytes: Buffer, at: number): { value: number; end: number } {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) break;
  }
  return { value, end: at };
}

async function sniffText(window: ByteWindow, messageLimit: number): Promise<Framing> {
  while ((await window.fill(1)) > 0) {
    const blanks = window.unread.findIndex((byte) => !isJsonSpace(byte));
    if (blanks === 0) break;
    window.consume(blanks === -1 ? window.unread.length : blanks);
  }
  if ((await window.fill(PEEK)) === 0) return { kind: "empty" };
  const first = window.unread[0];
  if (first === 0x5b) return { kind: "json" };
  if (first === OPEN_BRACE) return { kind: (await isOneLine(window, messageLimit)) ? "json-lines" : "json" };
  // A file whose beginning was cut off: its next lines may be whole.
  if (window.unread.includes("\n{")) return { kind: "json-lines" };
  if (window.unread.length < 5) return { kind: "short" };
  return { kind: "unknown", reason: "this is no framing of OTLP and no JSON" };
}

/** Is what begins here a record on a line of its own, rather than the first line of a laid out document? */
async function isOneLine(window: ByteWindow, messageLimit: number): Promise<boolean> {
  const length = await window.distanceTo(LINE_FEED, messageLimit);
  if (typeof length !== "number") return true;
  const scanner = new JsonScanner();
  let last = 0;
  for (const byte of window.unread.subarray(0, length)) {
    scanner.step(byte);
    if (!isJsonSpace(byte)) last = byte;
  }
  // Text within a string cannot go on in the next line: such a line is torn.
  if (scanner.depth <= 0 || scanner.inString) return true;
  await window.fill(length + PEEK);
  const next = window.unread.subarray(length).find((byte) => !isJsonSpace(byte));
  if (last === OPEN_BRACE || last === 0x2c) return next === OPEN_BRACE;
  return last !== 0x5b && last !== 0x3a && next === OPEN_BRACE;
}
