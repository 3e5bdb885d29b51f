#!/usr/bin/env node
// In the installed package this starts the built program. In a checkout, where src/ lies beside it,
// it starts the TypeScript source instead (Node 24 strips the types), so that no build is needed.
import { existsSync } from "node:fs";
import * as module from "node:module";

const source = new URL("../src/main.ts", import.meta.url);
const built = new URL("../dist/main.js", import.meta.url);

if (existsSync(source) && typeof module.registerHooks === "function") {
  module.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, "@agent-step-value/source"] }),
  });
  await import(source.href);
} else if (existsSync(built)) {
  await import(built.href);
} else {
  console.error(
    `asv: this checkout is not built and Node ${process.version} does not run TypeScript. ` +
      "Use `npx asv` (npm ci brings Node 24) or `npm run build`.",
  );
  process.exitCode = 1;
}
