import { Command } from "commander";
import type { Outcome } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { attachCommand } from "./candidates-attach.ts";
import { freezeCommand } from "./candidates-freeze.ts";
import { generateCommand } from "./candidates-generate.ts";
import { newCommand } from "./candidates-new.ts";
import { reviewCommand } from "./candidates-review.ts";

/** `asv candidates new | generate | review | attach | freeze`: the answers that beliefs range over. */
export function candidatesCommand(io: Io, outcome: Outcome): Command {
  return new Command("candidates")
    .description("make, review, attach and freeze candidate sets")
    .addCommand(newCommand())
    .addCommand(generateCommand(io, outcome))
    .addCommand(reviewCommand(io))
    .addCommand(attachCommand(io))
    .addCommand(freezeCommand(io));
}
