import type { MediaTexts } from "./media-texts.ts";

type Part = Readonly<Record<string, unknown>>;

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null;
}

/** An address without user, query and fragment, which is where access tokens stand. */
function plainAddress(address: string): string {
  const bare = address.split(/[?#]/, 1)[0] ?? "";
  return bare.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, "$1");
}

function textOf(value: string, mediaType: unknown, media: MediaTexts): string {
  if (/^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(value)) return `[file ${plainAddress(value)}]`;
  return media.encoded(value, mediaType);
}

/** A file as AI SDK 7 tags it: `{type: "data" | "url" | "text" | "reference", ...}`. */
function taggedText(data: Part, mediaType: unknown, media: MediaTexts): string {
  switch (data["type"]) {
    case "data":
      return contentText(data["data"], mediaType, media);
    case "url":
      return contentText(data["url"], mediaType, media);
    case "text":
      return typeof data["text"] === "string" ? data["text"] : "[file]";
    default:
      // Ids at a provider say nothing to anybody else.
      return "[file]";
  }
}

function contentText(content: unknown, mediaType: unknown, media: MediaTexts): string {
  if (typeof content === "string") return textOf(content, mediaType, media);
  if (content instanceof URL) return textOf(content.href, mediaType, media);
  return (
    media.bytes(content, mediaType) ?? (isPart(content) ? taggedText(content, mediaType, media) : "[file]")
  );
}

const CONTENT_FIELDS = ["data", "image", "url"] as const;

/**
 * What a state says of an image, a file or another part with bytes, in any form that AI SDK 5, 6 or 7
 * gives it: media type, length and SHA-256, or its address; its name where it has one.
 */
export function fileText(part: Part, media: MediaTexts): string {
  const field = CONTENT_FIELDS.find((name) => part[name] !== undefined);
  const text = contentText(field === undefined ? undefined : part[field], part["mediaType"], media);
  const { filename } = part as { filename?: unknown };
  return typeof filename === "string" && filename !== "" ? `${filename} ${text}` : text;
}
