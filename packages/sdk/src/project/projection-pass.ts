import type { JsonValue } from "../schema/index.ts";
import type { ResolvedPolicy } from "./projection-policy.ts";
import type { RedactionSession } from "./redaction-session.ts";
import type { Tally } from "./tally.ts";

/** One projection under way. */
export interface ProjectionPass {
  readonly policy: ResolvedPolicy;
  readonly session: RedactionSession;
  readonly tally: Tally;
  /** Projects a value that was read out of a text, `level` texts deep. */
  readonly projectParsed: (value: unknown, level: number) => JsonValue;
}
