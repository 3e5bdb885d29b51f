import { setFlagsFromString } from "node:v8";
import { processIo } from "./io.ts";
import { run } from "./run.ts";

// Records stream through and die young. Without this V8 lets its young generation grow until it is most
// of the memory of a large run: 325 MB against 226 MB for a million steps.
setFlagsFromString("--semi-space-growth-factor=1");

// A reader that goes away (`asv export … | head`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

process.exitCode = await run(process.argv.slice(2), processIo(process.argv.includes("--quiet")));
