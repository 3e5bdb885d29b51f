import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "jsonl/index": "src/jsonl/index.ts",
    "capture/index": "src/capture/index.ts",
    "score/index": "src/score/index.ts",
    "evaluators/openai/index": "src/evaluators/openai/index.ts",
    "evaluators/llama-cpp/index": "src/evaluators/llama-cpp/index.ts",
    "testing/index": "src/testing/index.ts",
  },
  format: "esm",
  target: "node20",
  platform: "neutral",
  external: [/^node:/],
  dts: true,
  clean: true,
  splitting: true,
  sourcemap: true,
  // The sources are in the package: maps name them and do not hold them once more.
  esbuildOptions: (options) => {
    options.sourcesContent = false;
  },
});
