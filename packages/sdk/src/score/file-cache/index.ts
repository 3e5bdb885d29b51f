export { fileCache } from "./file-cache.ts";
export { makeDirectory } from "./make-directory.ts";
