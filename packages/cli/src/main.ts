import { processIo } from "./io.ts";
import { run } from "./run.ts";

// A reader that goes away (`asv export … | head`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

process.exitCode = await run(process.argv.slice(2), processIo(process.argv.includes("--quiet")));
