import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import canonicalize from "canonicalize";
import type { JsonValue } from "./json.ts";

/** RFC 8785 canonical JSON. Throws on NaN, infinities, cycles and lone surrogates. */
export function canonicalJson(value: JsonValue): string {
  return canonicalize(value) as string;
}

/** SHA-256 of a text's UTF-8 bytes, 64 lower-case hex digits. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** SHA-256 of a value's RFC 8785 canonical JSON, 64 lower-case hex digits. */
export function digestOf(value: JsonValue): string {
  return sha256Hex(canonicalJson(value));
}
