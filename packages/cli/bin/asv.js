#!/usr/bin/env node
// In the installed package this starts the built program. In a checkout, where src/ lies beside it,
// it starts the TypeScript source instead (Node 24 strips the types), so that no build is needed.
import { existsSync } from "node:fs";
import * as module from "node:module";

const source = new URL("../src/main.ts", import.meta.url);
if (existsSync(source) && typeof module.registerHooks === "function") {
  module.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, "@agent-step-value/source"] }),
  });
  await import(source.href);
} else {
  await import("../dist/main.js");
}
