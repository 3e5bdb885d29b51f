import { join } from "node:path";
import { encodeSummary } from "@agent-step-value/sdk";
import { expectedNumbers } from "../expected-numbers.ts";
import { hostileRuns } from "../hostile-runs.ts";
import { writeMeasuredReport } from "../measured-report.ts";
import { checkNumbers } from "../number-checks.ts";
import { checkAxe, checkPage, takePictures } from "../page-checks.ts";
import { ask } from "../page-facts.ts";
import type { Desk } from "../subject.ts";
import { openWatched } from "../watched-page.ts";

/** Runs whose every text tries to get out of its place. */
export async function hostile({ browser, tally, out }: Desk): Promise<void> {
  const { trajectories, channel } = hostileRuns();
  const subject = { browser, tally, file: join(out, "hostile.html"), name: "hostile" };
  const report = await writeMeasuredReport(subject.file, trajectories, [channel]);
  await checkPage(subject);
  await checkNumbers(subject, expectedNumbers(encodeSummary(report.summary), report.steps));
  const { page, close } = await openWatched(browser, subject.file, { hash: "#run-0-step-7" });
  const text = await ask<string>(page, "text");
  tally.check("hostile: a script tag is text", text.includes('<script id="pwned">'));
  tally.check("hostile: an override is named", text.includes("U+202E"));
  tally.check("hostile: a NUL is named", text.includes("U+0000"));
  await close();
  await checkAxe(subject);
  await takePictures(subject);
}
