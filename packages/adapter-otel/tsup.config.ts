import { defineConfig } from "tsup";

export default defineConfig({
  entry: { index: "src/index.ts" },
  format: "esm",
  target: "node20",
  platform: "neutral",
  external: [/^node:/],
  dts: true,
  clean: true,
  sourcemap: true,
});
