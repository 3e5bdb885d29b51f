import { AsvError } from "@agent-step-value/sdk";
import { Command, CommanderError } from "commander";
import { auditCommand } from "./commands/audit.ts";
import { batchCommand } from "./commands/batch.ts";
import { candidatesCommand } from "./commands/candidates.ts";
import { checkCommand } from "./commands/check.ts";
import { compareCommand } from "./commands/compare.ts";
import { cuesCommand } from "./commands/cues.ts";
import { exportCommand } from "./commands/export.ts";
import { importCommand } from "./commands/import.ts";
import { packCommand } from "./commands/pack.ts";
import { probeCommand } from "./commands/probe.ts";
import { reportCommand } from "./commands/report.ts";
import { scoreCommand } from "./commands/score.ts";
import { EXIT, exitCodeOf, type Outcome } from "./exit-code.ts";
import { version, type Io } from "./io.ts";
import { isLeaving } from "./records/interrupt.ts";
import { cleanLines } from "./terminal/clean-text.ts";

const commands = [
  importCommand,
  checkCommand,
  packCommand,
  candidatesCommand,
  probeCommand,
  scoreCommand,
  compareCommand,
  auditCommand,
  cuesCommand,
  batchCommand,
  reportCommand,
  exportCommand,
];

/**
 * Runs one `asv` command line and returns its exit code. Never throws: a failure becomes one line on
 * stderr and a code (see `exit-code.ts`).
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const outcome: Outcome = { exitCode: EXIT.done };
  const program = new Command("asv")
    .description("Agent Step Value: which step of an agent's run helped, and which one hurt.")
    .version(version())
    .option("--quiet", "no progress and no messages; warnings and errors still show")
    .showHelpAfterError("(asv --help lists the commands)");
  for (const command of commands) program.addCommand(command(io, outcome));
  forEachCommand(program, (command) => {
    command.exitOverride().configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(cleanLines(text)),
    });
    if (command === program) return;
    command.option("--quiet", "no progress and no messages");
    command.showHelpAfterError(`(${pathOf(command)} --help lists its options)`);
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return outcome.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (isLeaving()) return EXIT.interrupted; // what failed is that files were closed under its hands
    io.stderr.write(`asv: ${cleanLines(messageOf(error))}\n`);
    return exitCodeOf(error);
  }
}

/** `asv candidates new` */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function forEachCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const child of command.commands) forEachCommand(child, visit);
}

/** The toolkit's own errors in one line; anything else is a fault of ours and shows its stack. */
function messageOf(error: unknown): string {
  if (AsvError.isInstance(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
