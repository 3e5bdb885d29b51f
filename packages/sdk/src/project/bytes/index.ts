export { bytesText, describeBytes, readMediaType, type BytesDescription } from "./describe-bytes.ts";
export { bytesOfString, findBytes } from "./find-bytes.ts";
