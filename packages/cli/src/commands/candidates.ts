import { Command } from "commander";
import type { Io } from "../io.ts";
import { attachCommand } from "./candidates-attach.ts";
import { freezeCommand } from "./candidates-freeze.ts";
import { newCommand } from "./candidates-new.ts";

/** `asv candidates new | attach | freeze`: the answers that beliefs range over. */
export function candidatesCommand(io: Io): Command {
  return new Command("candidates")
    .description("make, attach and freeze candidate sets")
    .addCommand(newCommand())
    .addCommand(attachCommand(io))
    .addCommand(freezeCommand(io));
}
