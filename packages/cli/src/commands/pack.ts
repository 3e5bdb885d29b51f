import { packTrajectories } from "@agent-step-value/sdk/jsonl";
import { Command } from "commander";
import { say, type Io } from "../io.ts";
import { recordsOption } from "../options.ts";
import { createWarningLog } from "../records/read-input.ts";

/** `asv pack FILE...`: live records become whole trajectories, one a line. */
export function packCommand(io: Io): Command {
  return new Command("pack")
    .description("turn live records of any number of files into whole trajectories, one a line")
    .argument("<files...>", "files with live records or trajectories, - for standard input")
    .option("-o, --out <file>", "file to write; standard output without it", recordsOption)
    .action(async (files: string[], options: { out?: string }) => {
      const log = createWarningLog(io);
      const packed = await packTrajectories(files, options.out ?? "-", log);
      log.finish();
      const partial = packed.partial > 0 ? `, ${packed.partial} of them partial (never closed)` : "";
      say(io, `packed ${packed.trajectories} trajectories, ${packed.steps} steps${partial}`);
    });
}
