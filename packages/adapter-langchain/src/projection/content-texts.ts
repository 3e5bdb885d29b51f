import { dataUri, plainText } from "./plain-text.ts";

/** One readable piece of a message's content. */
export interface ContentText {
  readonly kind: "text" | "reasoning";
  readonly text: string;
}

type Part = Readonly<Record<string, unknown>>;

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

const MEDIA_NAMES = ["image", "image_url", "audio", "input_audio", "video", "file", "media", "document"];

function isMedia(type: string): boolean {
  return MEDIA_NAMES.includes(type);
}

/** A media address without query and fragment, which is where access tokens stand. */
function plainAddress(address: string): string {
  if (address.startsWith("data:")) return address;
  return address.split(/[?#]/, 1)[0] ?? "";
}

/** The object that holds the bytes: providers nest them one level down, under a name of their own. */
function mediaBody(part: Part): Part {
  for (const name of ["source", "image_url", "input_audio", "file"]) {
    const nested = part[name];
    if (isPart(nested)) return nested;
  }
  return part;
}

/** Bytes become a data URI, which the SDK replaces by media type, length and digest. */
function mediaText(type: string, part: Part): string {
  const body = mediaBody(part);
  const mediaType =
    asString(body["mimeType"] ?? body["mime_type"] ?? body["media_type"]) ?? "application/octet-stream";
  const data = body["data"] ?? body["file_data"];
  if (data instanceof Uint8Array) return dataUri(data, mediaType);
  if (typeof data === "string") return data.startsWith("data:") ? data : `data:${mediaType};base64,${data}`;
  const address = asString(part["image_url"]) ?? asString(body["url"]);
  return address === undefined
    ? `[${type}]`
    : address.startsWith("data:")
      ? address
      : `[${type} ${plainAddress(address)}]`;
}

function partText(part: unknown): ContentText | undefined {
  if (typeof part === "string") return { kind: "text", text: part };
  if (!isPart(part)) return undefined;
  const type = asString(part["type"]) ?? "";
  if (isMedia(type)) return { kind: "text", text: mediaText(type, part) };
  if (type === "reasoning" || type === "thinking") {
    const text = asString(part["reasoning"]) ?? asString(part["thinking"]) ?? asString(part["text"]);
    return text === undefined ? undefined : { kind: "reasoning", text };
  }
  const text = asString(part["text"]);
  // Every other kind of part (tool calls, signatures, provider blocks) is left out: the calls are
  // read from the message's own list, and the rest is the provider's business.
  return text === undefined ? undefined : { kind: "text", text };
}

/**
 * The readable pieces of a message's content, by allow-list: text, reasoning, and media as a data
 * URI or an address.
 */
export function contentTexts(content: unknown): ContentText[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (content === undefined || content === null) return [];
  if (!Array.isArray(content)) return [{ kind: "text", text: plainText(content) }];
  return content.map(partText).filter((part) => part !== undefined && part.text !== "") as ContentText[];
}
