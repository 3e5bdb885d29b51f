import { benjaminiHochberg } from "./benjamini-hochberg.ts";

/** α of every family. */
const FAMILY_LEVEL = 0.05;

/** Verdict on one hypothesis of a family, adjusted for the family's size. */
export interface AdjustedTest {
  /** Two-sided, of "the mean is zero"; from the bootstrap distribution. */
  pValue: number;
  adjusted: number;
  /** The adjusted value is at most the family's level: the mean differs from zero. */
  rejected: boolean;
}

/** How the tests of a family were made and adjusted. */
export interface TestFamily {
  pValue: "two_sided_percentile_bootstrap";
  adjustment: "benjamini_hochberg";
  /** Share of false verdicts, among all verdicts, that is expected at most. */
  level: number;
  /** Hypotheses in the family: those with an interval that varies. */
  tests: number;
}

/**
 * Adjusts the tests of one family for their number.
 *
 * @param pValues undefined for a hypothesis that could not be tested; it takes no part
 */
export function adjustTests(pValues: readonly (number | undefined)[]): {
  family: TestFamily;
  tests: (AdjustedTest | undefined)[];
} {
  const known = pValues.filter((pValue) => pValue !== undefined);
  const adjusted = benjaminiHochberg(known);
  let next = 0;
  const tests = pValues.map((pValue) => {
    if (pValue === undefined) return undefined;
    const value = adjusted[next++]!;
    return { pValue, adjusted: value, rejected: value <= FAMILY_LEVEL };
  });
  return {
    family: {
      pValue: "two_sided_percentile_bootstrap",
      adjustment: "benjamini_hochberg",
      level: FAMILY_LEVEL,
      tests: known.length,
    },
    tests,
  };
}
