import type { RecordPlace } from "../errors/index.ts";

/** A record and where it stands. */
export interface Placed<T> {
  readonly record: T;
  readonly place: RecordPlace;
}
