import type {
  ComparisonJson,
  CrossingsJson,
  EffectJson,
  EstimateJson,
  LargestJson,
  SignsJson,
} from "./comparison-json.ts";

/**
 * What a comparison must be once its two channels are exchanged: every effect negated, every interval
 * turned about zero, every count of one side that of the other, and all else the same.
 */
export function mirrored(comparison: ComparisonJson): ComparisonJson {
  const { a, b, differences, coverage, all, clean, step_types, largest } = comparison;
  const { trajectories } = coverage;
  return comparable({
    ...comparison,
    a: b,
    b: a,
    differences: differences.map(({ path, ...sides }) => ({
      path,
      ...(Object.hasOwn(sides, "b") && { a: sides.b }),
      ...(Object.hasOwn(sides, "a") && { b: sides.a }),
    })),
    coverage: {
      ...coverage,
      only_in_a: coverage.only_in_b,
      only_in_b: coverage.only_in_a,
      without_gain_in_a: coverage.without_gain_in_b,
      without_gain_in_b: coverage.without_gain_in_a,
      trajectories: {
        ...trajectories,
        only_in_a: trajectories.only_in_b,
        only_in_b: trajectories.only_in_a,
      },
    },
    all: effect(all),
    clean: effect(clean),
    step_types: step_types.map(effect),
    largest: largest.map(step),
  });
}

/** A comparison with its lists in an order that does not hang on which channel comes first. */
export function comparable(comparison: ComparisonJson): ComparisonJson {
  const placeOf = ({ trajectory_id, step_id }: LargestJson) => JSON.stringify([trajectory_id, step_id]);
  return {
    ...comparison,
    step_types: comparison.step_types.toSorted((x, y) => (x.action < y.action ? -1 : 1)),
    largest: comparison.largest.toSorted((x, y) => (placeOf(x) < placeOf(y) ? -1 : 1)),
    warnings: comparison.warnings.toSorted(),
  };
}

function effect<E extends EffectJson>(one: E): E {
  return {
    ...one,
    a: one.b,
    b: one.a,
    signed: negated(one.signed),
    sign_disagreement: signs(one.sign_disagreement),
    sign_disagreement_six_decimals: signs(one.sign_disagreement_six_decimals),
    damage: crossings(one.damage),
    repair: crossings(one.repair),
  };
}

/** 0 − x and not −x: a file holds no negative zero. */
function negated(estimate: EstimateJson): EstimateJson {
  const { mean, interval } = estimate;
  return {
    ...estimate,
    ...(mean !== undefined && { mean: 0 - mean }),
    ...(interval !== undefined && {
      interval: { ...interval, low: 0 - interval.high, high: 0 - interval.low },
    }),
  };
}

function signs(one: SignsJson): SignsJson {
  return { ...one, only_a_moved: one.only_b_moved, only_b_moved: one.only_a_moved };
}

function crossings(one: CrossingsJson): CrossingsJson {
  return { ...one, a: one.b, b: one.a, only_a: one.only_b, only_b: one.only_a };
}

function step(one: LargestJson): LargestJson {
  return {
    ...one,
    gain_a: one.gain_b,
    gain_b: one.gain_a,
    effect: 0 - one.effect,
    flags_a: one.flags_b,
    flags_b: one.flags_a,
  };
}
