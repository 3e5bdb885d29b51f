/** The parts of `comparisons.json`, `audit.json` and `summary.json` that are looked at here, as they are written. */

export interface EstimateJson {
  mean?: number;
  interval?: { low: number; high: number };
}

export interface SignsJson {
  both_moved: number;
  disagree: number;
  only_a_moved: number;
  only_b_moved: number;
  neither_moved: number;
  rate: EstimateJson;
}

export interface CrossingsJson {
  a: { count: number };
  b: { count: number };
  both: number;
  only_a: number;
  only_b: number;
}

export interface EffectJson {
  pairs: number;
  a: EstimateJson;
  b: EstimateJson;
  signed: EstimateJson;
  absolute: EstimateJson;
  sign_disagreement: SignsJson;
  sign_disagreement_six_decimals: SignsJson;
  damage: CrossingsJson;
  repair: CrossingsJson;
}

export interface LargestJson {
  trajectory_id: string;
  step_id: string;
  gain_a: number;
  gain_b: number;
  effect: number;
  flags_a: string[];
  flags_b: string[];
}

export interface SideJson {
  name: string;
  signs: { positive: number; zero: number; negative: number };
  layout_spread?: { median: number };
}

export interface ComparisonJson {
  a: SideJson;
  b: SideJson;
  differences: { path: string; a?: unknown; b?: unknown }[];
  coverage: {
    transitions: number;
    paired: number;
    only_in_a: number;
    only_in_b: number;
    without_gain_in_a: number;
    without_gain_in_b: number;
    trajectories: { only_in_a: number; only_in_b: number };
  };
  all: EffectJson;
  clean: EffectJson;
  step_types: (EffectJson & { action: string })[];
  largest: LargestJson[];
  warnings: string[];
}

export interface AuditRowJson {
  channel: string;
  is_baseline: boolean;
  steps: number;
  margin_gain: EstimateJson;
  gap: EstimateJson;
  absolute_gap: EstimateJson;
  flip: SignsJson;
}

export interface AuditJson {
  contrast: string;
  tables: {
    sample: string;
    population: number;
    selected: number;
    steps: { trajectory_id: string; step_id: string }[];
    rows: AuditRowJson[];
  }[];
}
