import { InvalidArgumentError } from "../errors/index.ts";
import { MAX_LOG_SCORE, type ByCandidate } from "../schema/index.ts";

/** Values of a record in the order of `ids`. The caller has checked that the record holds them. */
export function valuesOf(record: ByCandidate, ids: readonly string[]): number[] {
  return ids.map((id) => record[id]!);
}

/** The reverse of {@link valuesOf}. An id named `__proto__` becomes a key like any other. */
export function byCandidate(ids: readonly string[], values: readonly number[]): ByCandidate {
  const record: ByCandidate = {};
  for (let c = 0; c < ids.length; c++) {
    const id = ids[c]!;
    if (id === "__proto__") {
      Object.defineProperty(record, id, { value: values[c], enumerable: true, configurable: true });
    } else {
      record[id] = values[c]!;
    }
  }
  return record;
}

/**
 * The candidate ids that all records share, in the order of the first one.
 *
 * @throws InvalidArgumentError when there is no record, fewer than two candidates, another number of
 *   mappings before than after, a differing set of candidates, or a value not within ±1e6
 */
export function sharedCandidates(before: readonly ByCandidate[], after: readonly ByCandidate[]): string[] {
  if (before.length === 0) throw new InvalidArgumentError("before", "at least one mapping", before);
  if (after.length !== before.length) {
    throw new InvalidArgumentError("after", `as many mappings as before (${before.length})`, after);
  }
  const ids = Object.keys(before[0]!);
  if (ids.length < 2) {
    throw new InvalidArgumentError("before[0]", "values of at least two candidates", before[0]);
  }
  before.forEach((record, b) => checkRecord(record, ids, `before[${b}]`));
  after.forEach((record, b) => checkRecord(record, ids, `after[${b}]`));
  return ids;
}

function checkRecord(record: ByCandidate, ids: readonly string[], argument: string): void {
  let size = 0;
  for (const key in record) if (Object.hasOwn(record, key)) size++;
  if (size !== ids.length || !ids.every((id) => Object.hasOwn(record, id))) {
    throw new InvalidArgumentError(argument, `values of the candidates of before[0]: ${list(ids)}`, record);
  }
  for (const id of ids) {
    if (!(Math.abs(record[id]!) <= MAX_LOG_SCORE)) {
      const expected = `a finite number within ±${MAX_LOG_SCORE}`;
      throw new InvalidArgumentError(`${argument}[${shown(id)}]`, expected, record[id]);
    }
  }
}

function list(ids: readonly string[]): string {
  const first = ids.slice(0, 6).map(shown).join(", ");
  return ids.length > 6 ? `${first}, and ${ids.length - 6} more` : first;
}

/** Of a long id the start only: a secret may stand where an id should. */
function shown(id: string): string {
  return JSON.stringify(id.length > 24 ? `${id.slice(0, 12)}…` : id);
}
