import type { Accuracy, GroupGain } from "./findings.ts";
import type { StudyResult } from "./study.ts";

/** The study as lines of text. */
export function printStudy(result: StudyResult): string {
  const { evaluator, caution, accuracy, accuracyWithConclusion, gains, shuffleDifference, bootstrap } =
    result;
  return [
    `PubMedQA, ${accuracy.questions} questions, evaluator ${evaluator.kind} (${evaluator.model})`,
    ...(caution === undefined ? [] : [caution]),
    "",
    "Final state                 correct  none on top  correct among yes/no/maybe  verdicts",
    accuracyLine("own abstract", accuracy),
    accuracyLine("abstract and conclusion", accuracyWithConclusion),
    `always the most frequent   ${share(accuracy.majority, accuracy.questions).padStart(8)}`,
    "",
    "Margin gain (nats) by what is read; intervals: 95 %, trajectory bootstrap, " +
      `${bootstrap.resamples} resamples, seed ${bootstrap.seed}`,
    "section           steps   mean G    interval             + / 0 / -",
    ...gains.map(gainLine),
    "",
    `Sections in another order: final scores differ by at most ${shuffleDifference.toExponential(2)} nats`,
  ].join("\n");
}

function accuracyLine(name: string, accuracy: Accuracy): string {
  const { questions, correct, noneOnTop, correctAmongVerdicts, verdicts } = accuracy;
  const said = ["yes", "no", "maybe", "tied"].map((id) => `${id} ${verdicts[id] ?? 0}`).join(", ");
  const cells = [correct, noneOnTop, correctAmongVerdicts].map((count) => share(count, questions));
  return `${name.padEnd(26)} ${cells[0]!.padStart(8)} ${cells[1]!.padStart(12)} ${cells[2]!.padStart(27)}  ${said}`;
}

function gainLine({ group, steps, mean, interval, positive, zero, negative }: GroupGain): string {
  const range = interval === undefined ? "too few" : `[${signed(interval.low)}, ${signed(interval.high)}]`;
  const signs = `${positive} / ${zero} / ${negative}`;
  return `${group.padEnd(16)} ${String(steps).padStart(6)} ${signed(mean).padStart(8)}    ${range.padEnd(20)} ${signs}`;
}

function signed(value: number): string {
  return `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(3)}`;
}

function share(count: number, of: number): string {
  return `${((100 * count) / of).toFixed(1)} %`;
}
