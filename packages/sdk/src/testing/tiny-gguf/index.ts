export { tinyGguf, type TinyGgufOptions } from "./tiny-gguf.ts";
