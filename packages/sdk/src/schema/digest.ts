import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalJson } from "./canonical-json.ts";
import type { JsonValue } from "./json.ts";

/** SHA-256 of a text's UTF-8 bytes, 64 lower-case hex digits. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** SHA-256 of a value's RFC 8785 canonical JSON, 64 lower-case hex digits. */
export function digestOf(value: JsonValue): string {
  return sha256Hex(canonicalJson(value));
}
