import { bytesOf, checksum } from "./bytes-in-memory.ts";

type Crypto = Pick<typeof import("node:crypto"), "createHash">;

/** Node's own SHA-256, got without an import, as any runtime must load this. */
const crypto: Crypto | undefined = globalThis.process?.getBuiltinModule?.("node:crypto");

const UNKNOWN_TYPE = "application/octet-stream";
const MEDIA_TYPE = /^[a-z]{1,32}\/[a-z0-9][a-z0-9.+-]{0,98}$/;
const DATA_URI = /^data:([^;,]*)((?:;[^;,]*)*),/i;
/** Texts of more characters are remembered, so that each is decoded once. */
const LONG = 1024;

/** The media type as a marker names it; `image`, which AI SDK 7 allows, says no more than that. */
function plainType(declared: unknown): string {
  if (typeof declared !== "string") return UNKNOWN_TYPE;
  const type = (declared.split(";", 1)[0] ?? "").trim().toLowerCase();
  if (MEDIA_TYPE.test(type)) return type;
  return /^[a-z]{1,32}$/.test(type) ? `${type}/unspecified` : UNKNOWN_TYPE;
}

/** What was written for a file, and what it was then. */
interface Known {
  readonly type: string;
  readonly checksum?: number | undefined;
  readonly text: string;
}

function base64Of(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(binary);
}

/**
 * What stands in a state for images, files and other bytes: `[BYTES:image/png:1234:<sha256>]`, the form
 * the SDK's own projection gives. Bytes are never written out and each of them is digested once a run.
 *
 * Where the runtime has no synchronous SHA-256 of its own, a data URI stands there instead, which the SDK
 * replaces by the same text.
 */
export class MediaTexts {
  // Most runs have no bytes at all.
  #ofBytes: WeakMap<object, Known> | undefined;
  #ofTexts: Map<string, Known> | undefined;

  /** Undefined for a value that is no bytes. */
  bytes(value: unknown, mediaType?: unknown): string | undefined {
    const bytes = bytesOf(value);
    if (bytes === undefined) return undefined;
    const type = plainType(mediaType);
    const key = value as object;
    // Bytes that were resized, filled anew or declared otherwise are another file.
    const known = this.#ofBytes?.get(key);
    const sum = checksum(bytes);
    const begin = `[BYTES:${type}:${bytes.length}:`;
    if (known !== undefined && known.checksum === sum && known.text.startsWith(begin)) return known.text;
    const text = this.#mark(bytes, type);
    if (crypto !== undefined) (this.#ofBytes ??= new WeakMap()).set(key, { type, checksum: sum, text });
    return text;
  }

  /** Base64 with or without a data URI around it. */
  encoded(text: string, mediaType?: unknown): string {
    if (text.length <= LONG) return this.#decoded(text, mediaType);
    // The same text declared otherwise is another file.
    const type = plainType(mediaType);
    const known = this.#ofTexts?.get(text);
    if (known?.type === type) return known.text;
    const mark = this.#decoded(text, mediaType);
    (this.#ofTexts ??= new Map()).set(text, { type, text: mark });
    return mark;
  }

  #decoded(text: string, mediaType: unknown): string {
    const uri = DATA_URI.exec(text);
    if (uri === null) {
      const type = plainType(mediaType);
      if (crypto === undefined) return `data:${type};base64,${text}`;
      return this.#mark(Buffer.from(text, "base64"), type);
    }
    const isBase64 = /;base64$/i.test(uri[2] ?? "");
    if (crypto === undefined || !isBase64) return text;
    const type = plainType(uri[1] === "" ? mediaType : uri[1]);
    return this.#mark(Buffer.from(text.slice(uri[0].length), "base64"), type);
  }

  #mark(bytes: Uint8Array, type: string): string {
    if (crypto === undefined) return `data:${type};base64,${base64Of(bytes)}`;
    const sha256 = crypto.createHash("sha256").update(bytes).digest("hex");
    return `[BYTES:${type}:${bytes.length}:${sha256}]`;
  }
}
