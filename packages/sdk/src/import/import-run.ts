import type { RecordPlace } from "../errors/index.ts";
import type { Trajectory } from "../schema/index.ts";

/** Something an importer noticed and went on from. */
export interface ImportWarning {
  /** Stable word, listed in the importer's documentation. */
  code: string;
  message: string;
  place?: RecordPlace;
}

/** What an import did. Complete once its trajectories have been read to the end. */
export interface ImportReport {
  format: string;
  /** Source records read: lines, or one for a text. */
  records: number;
  trajectories: number;
  steps: number;
  /** Steps that carry a human label. */
  labels: number;
  /**
   * Trajectories by how their states were come by: `recorded` where the source has the states, `reconstructed`
   * where they were put together from what it has. Empty for a format whose states are always made here.
   */
  fidelity: Record<string, number>;
  /** The first hundred warnings. */
  warnings: ImportWarning[];
  /** All warnings, counted by code. */
  warningCounts: Record<string, number>;
}

/** Trajectories as they are imported, with the report that fills up meanwhile. Can be read once. */
export interface ImportRun extends AsyncIterable<Trajectory> {
  readonly report: ImportReport;
}

/** Notes warnings and read records of one import. */
export interface ImportLog {
  read(records?: number): void;
  warn(code: string, message: string, place?: RecordPlace): void;
}

/** How many warnings are kept in full; the rest is only counted, so that memory stays bounded. */
const WARNING_LIMIT = 100;

/** Runs an importer's generator and counts what it yields. */
export function createImportRun(
  format: string,
  generate: (log: ImportLog) => AsyncIterable<Trajectory>,
): ImportRun {
  const counts = new Map<string, number>();
  const fidelity = new Map<string, number>();
  const report: ImportReport = {
    format,
    records: 0,
    trajectories: 0,
    steps: 0,
    labels: 0,
    fidelity: {},
    warnings: [],
    warningCounts: {},
  };
  const log: ImportLog = {
    read: (records = 1) => {
      report.records += records;
    },
    warn: (code, message, place) => {
      counts.set(code, (counts.get(code) ?? 0) + 1);
      report.warningCounts = Object.fromEntries(counts);
      if (report.warnings.length >= WARNING_LIMIT) return;
      report.warnings.push({ code, message, ...(place === undefined ? {} : { place }) });
    },
  };
  async function* trajectories(): AsyncGenerator<Trajectory> {
    for await (const trajectory of generate(log)) {
      report.trajectories += 1;
      report.steps += trajectory.steps.length;
      report.labels += trajectory.steps.filter(({ label }) => label !== undefined).length;
      const faith = trajectory.metadata["fidelity"];
      if (typeof faith === "string" && trajectory.metadata["state_source"] !== undefined) {
        fidelity.set(faith, (fidelity.get(faith) ?? 0) + 1);
        report.fidelity = Object.fromEntries(fidelity);
      }
      yield trajectory;
    }
  }
  const run = trajectories();
  return { report, [Symbol.asyncIterator]: () => run };
}
