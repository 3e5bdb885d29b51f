import { join } from "node:path";
import { encodeSummary, type ChannelComparison } from "@agent-step-value/sdk";
import { syntheticStudy } from "@agent-step-value/sdk/testing";
import { expectedNumbers } from "../expected-numbers.ts";
import { writeMeasuredReport } from "../measured-report.ts";
import { checkNumbers } from "../number-checks.ts";
import { checkAxe, checkPage, checkPrint, checkWorstLink, takePictures } from "../page-checks.ts";
import { ask } from "../page-facts.ts";
import type { Desk, Subject } from "../subject.ts";
import { openWatched } from "../watched-page.ts";

/** A study of the paper's shape: near-one-hot scores, three channels, 1,100 steps. */
export async function study({ browser, tally, out }: Desk): Promise<void> {
  const { trajectories, channels } = syntheticStudy({ balanced: true });
  const [direct, rationale, balanced] = channels;
  const subject = { browser, tally, file: join(out, "study.html"), name: "study" };
  const shown = [rationale!, direct!, balanced!];
  const report = await writeMeasuredReport(subject.file, trajectories, shown, { audit: true });
  await checkPage(subject);
  await checkNumbers(subject, expectedNumbers(encodeSummary(report.summary), report.steps));
  await checkFirstScreen(subject);
  await checkComparison(subject, report.comparisons[0]!);
  await checkAxe(subject);
  await checkWorstLink(subject);
  await checkPrint(subject);
  await takePictures(subject);
}

/** The paper's second result (section 5.2) stands where it is seen without scrolling. */
async function checkFirstScreen({ browser, file, tally }: Subject): Promise<void> {
  const { page, close } = await openWatched(browser, file);
  const top = await ask<number>(page, "callout");
  tally.check("study: entropy misses pivots, said on the first screen", top > 0 && top < 800, `at ${top} px`);
  await close();
}

async function checkComparison({ browser, file, tally }: Subject, { all }: ChannelComparison): Promise<void> {
  const { page, close } = await openWatched(browser, file);
  const [tiles] = await ask<Record<string, number[]>[]>(page, "comparisonTiles");
  const expected = {
    "Mean signed effect": all.signed.mean,
    "Mean absolute effect": all.absolute.mean,
    "Sign disagreement": all.signDisagreement.rate.mean,
  };
  for (const [name, value] of Object.entries(expected)) {
    tally.check(`study: ${name.toLowerCase()} as measured`, tiles?.[name]?.[0] === value, `${value}`);
  }
  await close();
}
