/** What became of the steps that ended so far. */
export interface CaptureReport {
  /** Steps that every sink took. Whether spans were exported, only their provider knows. */
  readonly written: number;
  /** Steps that some sink lost. */
  readonly dropped: number;
  /** Steps that lack a state because it could not be projected; they count as written or dropped too. */
  readonly damaged: number;
  /** The first problems, at most 20. */
  readonly errors: readonly Error[];
  /** `inactive`: spans go nowhere. `unsampled`: the provider did not sample the last trajectory. `off`: no span sink. */
  readonly otel: "active" | "inactive" | "unsampled" | "off";
}
