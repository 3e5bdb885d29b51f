import { join } from "node:path";
import { encodeSummary } from "@agent-step-value/sdk";
import { degenerateRuns } from "../degenerate-runs.ts";
import { expectedNumbers } from "../expected-numbers.ts";
import { writeMeasuredReport } from "../measured-report.ts";
import { checkNumbers } from "../number-checks.ts";
import { checkPage } from "../page-checks.ts";
import { ask } from "../page-facts.ts";
import type { Desk } from "../subject.ts";
import { openWatched } from "../watched-page.ts";

/** Empty, single, unmeasured, untargeted, unpaired: stated, and never NaN or zero. */
export async function edges({ browser, tally, out }: Desk): Promise<void> {
  for (const { name, trajectories, channels, audit, says } of degenerateRuns()) {
    const subject = { browser, tally, file: join(out, `${name.replaceAll(" ", "-")}.html`), name };
    const report = await writeMeasuredReport(subject.file, trajectories, channels, { audit });
    await checkPage(subject);
    await checkNumbers(subject, expectedNumbers(encodeSummary(report.summary), report.steps));
    const { page, close } = await openWatched(browser, subject.file);
    const text = await ask<string>(page, "text");
    for (const words of says) tally.check(`${name}: says “${words}”`, text.includes(words));
    tally.check(`${name}: no NaN, Infinity or undefined`, !/\b(NaN|Infinity|undefined|null)\b/.test(text));
    await close();
  }
}
