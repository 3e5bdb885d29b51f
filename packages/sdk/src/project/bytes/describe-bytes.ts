import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** What a state keeps of binary content: what it was, how long, and which. Keys are wire names. */
export interface BytesDescription {
  [key: string]: string | number;
  media_type: string;
  bytes: number;
  sha256: string;
}

const SIGNATURES: readonly (readonly [string, readonly number[]])[] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
  ["application/pdf", [0x25, 0x50, 0x44, 0x46]],
  ["application/zip", [0x50, 0x4b, 0x03, 0x04]],
  ["application/gzip", [0x1f, 0x8b]],
];

const WEBP = [0x57, 0x45, 0x42, 0x50];
const MEDIA_TYPE = /^[a-z]{1,32}\/[a-z0-9][a-z0-9.+-]{0,98}$/;

function startsWith(bytes: Uint8Array, signature: readonly number[], from = 0): boolean {
  return signature.every((byte, i) => bytes[from + i] === byte);
}

function sniffMediaType(bytes: Uint8Array): string {
  if (startsWith(bytes, [0x52, 0x49, 0x46, 0x46]) && startsWith(bytes, WEBP, 8)) return "image/webp";
  const known = SIGNATURES.find(([, signature]) => startsWith(bytes, signature));
  return known?.[0] ?? "application/octet-stream";
}

/** The media type in lower case without parameters, or undefined for anything else. */
export function readMediaType(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > 256) return undefined;
  const type = (value.split(";")[0] ?? "").trim().toLowerCase();
  return MEDIA_TYPE.test(type) ? type : undefined;
}

/** Media type (declared, else by signature), length and SHA-256 of some bytes. */
export function describeBytes(bytes: Uint8Array, declaredType?: string): BytesDescription {
  return {
    media_type: declaredType ?? sniffMediaType(bytes),
    bytes: bytes.length,
    sha256: bytesToHex(sha256(bytes)),
  };
}

/** The same in the middle of a text: `[BYTES:image/png:1234:<sha256>]`. */
export function bytesText(description: BytesDescription): string {
  return `[BYTES:${description.media_type}:${description.bytes}:${description.sha256}]`;
}
