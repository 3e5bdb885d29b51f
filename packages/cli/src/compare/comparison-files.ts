import { join } from "node:path";
import {
  encodeComparison,
  type ChannelComparison,
  type ChannelEffect,
  type JsonObject,
} from "@agent-step-value/sdk";
import { makeFolder } from "../records/make-folder.ts";
import { csvHeader, csvRow, type CsvColumn } from "../report/csv.ts";
import { resamplingCautions } from "./few-resamples.ts";
import { isSameMeasurement, SAME_MEASUREMENT } from "./same-measurement.ts";
import { writeTextFiles } from "../report/text-file.ts";

/** Version of the file that holds all comparisons of a run. */
const COMPARISONS_SCHEMA = "asv.comparisons.v1";

interface EffectRow extends ChannelEffect {
  channel: string;
  baseline: string;
  /** Absent in the table of all pairs. */
  action?: string;
}

/** All comparisons as one JSON object. */
export function comparisonsJson(
  comparisons: readonly ChannelComparison[],
  cautions: readonly string[],
): JsonObject {
  return {
    schema_version: COMPARISONS_SCHEMA,
    cautions: [
      ...cautions,
      ...new Set(
        comparisons.flatMap(({ bootstrap, all }) =>
          resamplingCautions(bootstrap, all.signed.interval !== undefined),
        ),
      ),
      ...comparisons
        .filter(isSameMeasurement)
        .map(({ a, b }) => `${a.name} against ${b.name}: ${SAME_MEASUREMENT}`),
    ],
    comparisons: comparisons.map(encodeComparison),
  };
}

/** What {@link writeComparisonFiles} writes in its folder. */
export const COMPARISON_FILES: readonly string[] = [
  "comparisons.json",
  "tables/effects.csv",
  "tables/step_type_effects.csv",
];

/** Writes `comparisons.json`, `tables/effects.csv` and `tables/step_type_effects.csv`. */
export async function writeComparisonFiles(
  folder: string,
  comparisons: readonly ChannelComparison[],
  cautions: readonly string[],
): Promise<void> {
  await makeFolder(join(folder, "tables"));
  const rowsOf = ({ a, b }: ChannelComparison) => ({ channel: a.name, baseline: b.name });
  const all = comparisons.map((one) => ({ ...rowsOf(one), ...one.all }));
  const types = comparisons.flatMap((one) => one.stepTypes.map((type) => ({ ...rowsOf(one), ...type })));
  const typeColumns = [{ name: "action", cell: ({ action }: EffectRow) => action }, ...effectColumns];
  const json = comparisonsJson(comparisons, cautions);
  await writeTextFiles({
    [join(folder, "tables", "effects.csv")]: csv(effectColumns, all),
    [join(folder, "tables", "step_type_effects.csv")]: csv(typeColumns, types),
    [join(folder, "comparisons.json")]: `${JSON.stringify(json, null, 2)}\n`,
  });
}

export function csv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return csvHeader(columns) + rows.map((row) => csvRow(columns, row)).join("");
}

const effectColumns: readonly CsvColumn<EffectRow>[] = [
  { name: "channel", cell: (row) => row.channel },
  { name: "baseline", cell: (row) => row.baseline },
  { name: "pairs", cell: (row) => row.pairs },
  { name: "trajectories", cell: (row) => row.trajectories },
  { name: "mean_margin_gain", cell: (row) => row.a.mean },
  { name: "baseline_margin_gain", cell: (row) => row.b.mean },
  { name: "signed_effect", cell: (row) => row.signed.mean },
  { name: "signed_low", cell: (row) => row.signed.interval?.low },
  { name: "signed_high", cell: (row) => row.signed.interval?.high },
  { name: "absolute_effect", cell: (row) => row.absolute.mean },
  { name: "absolute_low", cell: (row) => row.absolute.interval?.low },
  { name: "absolute_high", cell: (row) => row.absolute.interval?.high },
  { name: "both_moved", cell: (row) => row.signDisagreement.bothMoved },
  { name: "sign_disagreements", cell: (row) => row.signDisagreement.disagree },
  { name: "sign_disagreement", cell: (row) => row.signDisagreement.rate.mean },
  { name: "sign_disagreement_low", cell: (row) => row.signDisagreement.rate.interval?.low },
  { name: "sign_disagreement_high", cell: (row) => row.signDisagreement.rate.interval?.high },
  { name: "damage", cell: (row) => row.damage.a.count },
  { name: "baseline_damage", cell: (row) => row.damage.b.count },
  { name: "repair", cell: (row) => row.repair.a.count },
  { name: "baseline_repair", cell: (row) => row.repair.b.count },
];
