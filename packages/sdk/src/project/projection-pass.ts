import type { PythonNode } from "../python-literal/index.ts";
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
  readonly projectParsed: (value: unknown, level: number, mediaType?: string) => JsonValue;
  /** Projects a text that was read as one Python value, whose texts are `level` texts deep. */
  readonly projectPython: (root: PythonNode, text: string, level: number) => string;
}
