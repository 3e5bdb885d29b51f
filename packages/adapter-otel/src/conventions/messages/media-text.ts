import { field, isMap, textField, type JsonMap } from "./foreign-json.ts";

const MEDIA =
  /^(?:image|image_url|input_image|audio|input_audio|video|file|input_file|document|media|blob|uri|image-data|file-data)$/;
const NESTED = [
  "image_url",
  "image",
  "source",
  "input_audio",
  "audio",
  "file",
  "inline_data",
  "inlineData",
  "data",
];

/** An address without query and fragment, which is where access tokens stand. */
function plainAddress(address: string): string {
  return address.startsWith("data:") ? address : (address.split(/[?#]/, 1)[0] ?? "");
}

/**
 * The text of a media part: its bytes as a data URI, which the projection replaces by media type,
 * length and digest, or its address. Undefined for a part that is none.
 */
export function mediaText(part: JsonMap): string | undefined {
  const type = field(part, "type");
  const inline = field(part, "inline_data", "inlineData");
  if (!(typeof type === "string" && MEDIA.test(type)) && !isMap(inline)) return undefined;
  let body = part;
  for (const name of NESTED) {
    const nested = field(part, name);
    if (isMap(nested)) body = nested;
  }
  const mediaType =
    textField(body, "mime_type", "mimeType", "media_type", "mediaType") ??
    textField(part, "mime_type", "mimeType", "media_type", "mediaType");
  const label = typeof type === "string" ? type : "media";
  const address = textField(body, "url", "uri", "file_uri") ?? textField(part, "image_url", "url", "uri");
  if (address !== undefined)
    return address.startsWith("data:") ? address : `[${label} ${plainAddress(address)}]`;
  const data = textField(body, "data", "content", "file_data") ?? textField(part, "image", "data", "content");
  if (data === undefined) return `[${label}${mediaType === undefined ? "" : ` ${mediaType}`}]`;
  if (/^https?:/.test(data)) return `[${label} ${plainAddress(data)}]`;
  return data.startsWith("data:") ? data : `data:${mediaType ?? "application/octet-stream"};base64,${data}`;
}
