import { isKeptInBuffer, isLostInBuffer, isLostInState, isNewInState, isOnlyInBuffer } from "./cue-csv.ts";
import { CUE_VERDICTS, type Cue, type CueRow, type CueVerdict } from "./cue-row.ts";

/** A work list in counts. */
export interface CueSummary {
  rows: number;
  judged: number;
  /** Every verdict, also those that nobody gave. Rates are over judged rows; absent without one. */
  verdicts: { verdict: CueVerdict; count: number; rate?: number }[];
  /** Cues of the target that are its own (not shared with competitor or question), summed over rows. */
  target: {
    inAfterState: number;
    keptInBuffer: number;
    lostInBuffer: number;
    lostInState: number;
    /** keptInBuffer / (kept + lost); absent where no channel had a buffer. */
    retention?: number;
  };
  /** Cues of the competitor that are its own. */
  competitor: { newInState: number; onlyInBuffer: number };
}

/** Counts verdicts and found cues over a work list. The counts of words are no verdicts. */
export function summarizeCues(rows: readonly CueRow[]): CueSummary {
  const judged = rows.filter(({ verdict }) => verdict !== undefined).length;
  const own = (of: Cue["of"]) =>
    rows.flatMap(({ cues }) => cues.filter((cue) => cue.of === of && !cue.shared));
  const target = own("target");
  const competitor = own("competitor");
  const kept = target.filter(isKeptInBuffer).length;
  const lost = target.filter(isLostInBuffer).length;
  return {
    rows: rows.length,
    judged,
    verdicts: CUE_VERDICTS.map((verdict) => {
      const count = rows.filter((row) => row.verdict === verdict).length;
      return { verdict, count, ...(judged === 0 ? {} : { rate: count / judged }) };
    }),
    target: {
      inAfterState: target.filter(({ stateAfter }) => stateAfter !== "absent").length,
      keptInBuffer: kept,
      lostInBuffer: lost,
      lostInState: target.filter(isLostInState).length,
      ...(kept + lost === 0 ? {} : { retention: kept / (kept + lost) }),
    },
    competitor: {
      newInState: competitor.filter(isNewInState).length,
      onlyInBuffer: competitor.filter(isOnlyInBuffer).length,
    },
  };
}
