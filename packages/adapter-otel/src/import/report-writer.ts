import {
  emptyReport,
  type OtlpFileReport,
  type OtlpImportReport,
  type OtlpProblem,
} from "./import-report.ts";

/** How many entries of a list are kept in full; the rest is only counted, so that memory stays bounded. */
const LISTED = 1000;
const WARNINGS = 100;

/** Fills a report. */
export class ReportWriter {
  readonly report: OtlpImportReport = emptyReport();
  readonly #warnings = new Map<string, number>();
  readonly #problems = new Map<string, number>();

  warn(code: string, message: string, place?: { readonly source: string; readonly line: number }): void {
    const { report } = this;
    this.#warnings.set(code, (this.#warnings.get(code) ?? 0) + 1);
    report.warningCounts = Object.fromEntries(this.#warnings);
    if (report.warnings.length < WARNINGS) {
      report.warnings.push({ code, message, ...(place !== undefined && { place }) });
    }
  }

  problem(problem: OtlpProblem): void {
    const { report } = this;
    this.#problems.set(problem.code, (this.#problems.get(problem.code) ?? 0) + 1);
    report.problemCounts = Object.fromEntries(this.#problems);
    if (report.problems.length < LISTED) report.problems.push(problem);
  }

  file(source: string): OtlpFileReport {
    const { report } = this;
    const file = { source, framing: "", bytes: 0, messages: 0, spans: 0, logs: 0, problems: 0 };
    report.fileCount++;
    if (report.files.length < LISTED) report.files.push(file);
    return file;
  }

  /** Notes a trajectory that is going out. */
  recorded(steps: number, way: "recorded" | "reconstructed"): void {
    const { report } = this;
    report.trajectories++;
    report.steps += steps;
    report.fidelity[way] = (report.fidelity[way] ?? 0) + 1;
  }

  reconstructed(trajectoryId: string, convention: string, fidelity: string): void {
    const { reconstructed } = this.report;
    if (reconstructed.length < LISTED) reconstructed.push({ trajectoryId, convention, fidelity });
  }

  used(as: string): void {
    const { used } = this.report.foreign;
    used[as] = (used[as] ?? 0) + 1;
  }

  /** Sets the outcome; nothing may be counted afterwards. */
  finish(): void {
    this.report.outcome =
      this.report.trajectories === 0 ? "unusable" : this.#lost() > 0 ? "partial" : "complete";
  }

  #lost(): number {
    const { spans, logs, states, references, native, duplicates, rejected, problemCounts } = this.report;
    return [
      ...Object.values(problemCounts),
      spans.broken,
      logs.damagedStates,
      duplicates.conflicts,
      native.withoutSpan,
      native.incomplete,
      native.unknownVersion,
      native.damagedDetails,
      rejected,
      states.missing,
      states.cut,
      states.damaged,
      references.unresolved,
      references.cycles,
    ].reduce((sum, count) => sum + count, 0);
  }
}
