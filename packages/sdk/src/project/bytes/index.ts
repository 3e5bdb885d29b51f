export { bytesText, describeBytes, readMediaType } from "./describe-bytes.ts";
export { bytesOfString, findBytes } from "./find-bytes.ts";
