import { adjustTests, type TestFamily } from "./adjusted-tests.ts";
import type { EstimateRequest, TestedEstimate } from "./estimates.ts";
import type { GainUnits } from "./gain-columns.ts";
import { rowsByNumber } from "./rows-by-number.ts";
import type { StepTable } from "./step-columns.ts";
import { planStepSet } from "./step-set.ts";
import type { StepGroupSummary, StepTypeSummary } from "./summary.ts";

/** Step types that are also summarized together. */
export interface ActionGroup {
  group: string;
  actions: readonly string[];
}

/** Step types and groups of a table: what to estimate of each, and the summaries once it is estimated. */
export interface StepTypes {
  requests: EstimateRequest[];
  finish(estimated: readonly TestedEstimate[]): {
    stepTypes: StepTypeSummary[];
    stepTypeTests: TestFamily;
    stepGroups: StepGroupSummary[];
  };
}

/**
 * Groups steps by `action.type`, and by the groups of types the caller named.
 *
 * @param names of the action numbers in the table
 */
export function groupStepTypes(
  table: StepTable,
  names: readonly string[],
  units: GainUnits,
  { groups, zeroTolerance }: { groups: readonly ActionGroup[]; zeroTolerance: number },
): StepTypes {
  const rowsOf = rowsByNumber(table.action, table.length, names.length);
  const plan = (rows: Uint32Array) => planStepSet(table, rows, units, zeroTolerance);
  const types = rowsOf.map(plan);
  const grouped = groups.map(({ actions }) =>
    plan(concatenate(rowsOf.filter((_, i) => actions.includes(names[i]!)))),
  );
  const sets = [...types, ...grouped];
  return {
    requests: sets.map(({ request }) => request),
    finish(estimated) {
      const found = sets.map((set, i) => ({
        summary: set.summary(estimated[i]!.estimate),
        pValue: estimated[i]!.pValue,
      }));
      const { family, tests } = adjustTests(found.slice(0, types.length).map(({ pValue }) => pValue));
      return {
        stepTypes: names
          .map((action, i) => ({
            action,
            ...found[i]!.summary,
            ...(tests[i] === undefined ? {} : { test: tests[i] }),
          }))
          .sort(byMean),
        stepTypeTests: family,
        stepGroups: groups.map(({ group, actions }, i) => ({
          group,
          actions: [...actions],
          ...found[types.length + i]!.summary,
        })),
      };
    },
  };
}

function concatenate(lists: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}

/** Most negative mean first, as the paper's Figure 2 reads; types without a gain last, by name. */
function byMean(a: StepTypeSummary, b: StepTypeSummary): number {
  const difference = (a.mean ?? Infinity) - (b.mean ?? Infinity);
  if (difference !== 0 && !Number.isNaN(difference)) return difference;
  return a.action < b.action ? -1 : a.action > b.action ? 1 : 0;
}
