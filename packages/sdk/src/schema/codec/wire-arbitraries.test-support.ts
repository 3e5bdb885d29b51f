import fc from "fast-check";

/** Random valid wire records, with unknown keys at every level, for property tests. */

const json = fc.jsonValue({ maxDepth: 3 });
const freeObject = fc.dictionary(fc.string({ maxLength: 8 }), json, { maxKeys: 4 });
const unknownKeys = fc.dictionary(
  fc.string({ maxLength: 6 }).map((name) => `x_${name}`),
  json,
  { maxKeys: 2 },
);
const score = fc.double({ min: -40, max: 5, noNaN: true });

/** An object with the given fields, some of them left out, and unknown keys beside them. */
function object<T extends Record<string, fc.Arbitrary<unknown>>>(fields: T, always: (keyof T & string)[]) {
  return fc
    .tuple(unknownKeys, fc.record(fields, { requiredKeys: always as never }))
    .map(([extra, known]) => ({ ...extra, ...known }) as Record<string, unknown>);
}

function maps(ids: readonly string[]) {
  const scores = fc
    .array(score, { minLength: ids.length, maxLength: ids.length })
    .map((values) => Object.fromEntries(ids.map((id, i) => [id, values[i]!])));
  const belief = fc
    .array(fc.integer({ min: 1, max: 1000 }), { minLength: ids.length, maxLength: ids.length })
    .map((weights) => {
      const sum = weights.reduce((a, b) => a + b, 0);
      return Object.fromEntries(ids.map((id, i) => [id, weights[i]! / sum]));
    });
  return { scores: ids.length === 0 ? fc.constant(undefined) : scores, belief };
}

function step(ids: readonly string[], position: number) {
  const { scores, belief } = maps(ids);
  const measured =
    ids.length === 0
      ? {}
      : {
          belief_before: belief,
          belief_after: belief,
          raw_scores_before: scores,
          raw_scores_after: scores,
        };
  return object(
    {
      step_id: fc.string().map((text) => `s${position}-${text}`),
      index: fc.nat(),
      action: freeObject,
      observation: freeObject,
      state_before: fc.option(freeObject),
      state_after: freeObject,
      cost: freeObject,
      label: fc.option(fc.string()),
      label_source: fc.string(),
      label_confidence: score,
      quality_flags: freeObject,
      discontinuity: fc.boolean(),
      ...measured,
    },
    ["step_id"],
  );
}

function task(ids: readonly string[]) {
  const candidate = (id: string) =>
    object(
      { id: fc.constant(id), label: fc.string(), text: fc.string({ minLength: 1 }), prior: fc.option(score) },
      ["id"],
    );
  const space = object(
    {
      type: fc.string(),
      candidates: fc.tuple(...ids.map(candidate)),
      gold_candidate_id: ids.length === 0 ? fc.constant(null) : fc.constantFrom(...ids),
      frozen_sha256: fc.constant("ab".repeat(32)),
      review: object({ reviewer: fc.string(), reviewed_at: fc.string(), notes: fc.string() }, ["reviewer"]),
      label_source: fc.string(),
    },
    ["candidates"],
  );
  return object(
    {
      task_id: fc.string({ minLength: 1 }),
      question: fc.string(),
      task_type: fc.string(),
      domain: fc.option(fc.string()),
      difficulty: fc.string(),
      gold_visible_to_evaluator: fc.boolean(),
      gold_used_only_for_validation: fc.boolean(),
      candidate_space: space,
    },
    ["question", "candidate_space"],
  );
}

const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 5 });

/** A valid `asv.v1` line as an object. */
export const wireTrajectory = ids.chain((candidateIds) =>
  fc.nat({ max: 4 }).chain((count) =>
    object(
      {
        schema_version: fc.constant("asv.v1"),
        trajectory_id: fc.string({ minLength: 1 }),
        source_adapter: fc.string(),
        created_at: fc.option(fc.string()),
        run_id: fc.string({ minLength: 1 }),
        metadata: freeObject,
        final_score: fc.option(score),
        success: fc.boolean(),
        status: fc.string(),
        redaction: object(
          { policy: fc.string(), version: fc.string(), hits: fc.dictionary(fc.string(), fc.nat()) },
          ["policy", "version"],
        ),
        task: task(candidateIds),
        steps: fc.tuple(...Array.from({ length: count }, (_, i) => step(candidateIds, i))),
      },
      ["trajectory_id", "task", "steps"],
    ),
  ),
);
