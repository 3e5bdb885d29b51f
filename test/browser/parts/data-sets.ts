import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sharedFile } from "../../../packages/sdk/src/testing/shared-data.ts";
import { cliReport } from "../cli-report.ts";
import { expectedNumbers } from "../expected-numbers.ts";
import { checkNumbers } from "../number-checks.ts";
import {
  checkAxe,
  checkKeyboard,
  checkPage,
  checkPrint,
  checkWorstLink,
  takePictures,
} from "../page-checks.ts";
import type { Desk, Subject } from "../subject.ts";

const examples = fileURLToPath(new URL("../../../examples", import.meta.url));

/** The whole job on stored data by the command line, and what must hold of its report. */
async function checkDataSet(
  { browser, tally, out }: Desk,
  name: string,
  importing: string[],
  reporting: string[] = [],
): Promise<Subject> {
  const { html: file, summary, steps } = cliReport(join(out, name), name, importing, reporting);
  const subject = { browser, tally, file, name };
  await checkPage(subject);
  await checkNumbers(subject, expectedNumbers(summary, steps));
  await checkWorstLink(subject);
  await takePictures(subject);
  return subject;
}

/** The invented runs that the quickstart measures. */
export async function quickstart(desk: Desk): Promise<void> {
  const data = join(examples, "quickstart/data/evidence-questions.asv.jsonl");
  const labels = ["--labels", "loses-evidence,corrupts-evidence"];
  const subject = await checkDataSet(desk, "quickstart", ["asv-v1", data], labels);
  await checkAxe(subject);
  await checkKeyboard(subject);
  await checkPrint(subject);
}

export async function pubmedqa(desk: Desk): Promise<void> {
  const data = sharedFile("data/pubmedqa/pqal-100.jsonl");
  if (data !== undefined) await checkDataSet(desk, "pubmedqa", ["pubmedqa", data]);
}

export async function whoAndWhen(desk: Desk): Promise<void> {
  const logs = sharedFile("data/who-and-when/algorithm-generated-96.jsonl");
  const answers = sharedFile("data/who-and-when/run-answers.jsonl");
  if (logs === undefined || answers === undefined) return;
  await checkAxe(await checkDataSet(desk, "who-and-when", ["who-and-when", logs, "--answers", answers]));
}
