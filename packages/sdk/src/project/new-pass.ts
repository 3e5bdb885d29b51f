import type { ProjectionPass } from "./projection-pass.ts";
import type { ResolvedPolicy } from "./projection-policy.ts";
import { projectPython } from "./project-python.ts";
import { projectParsed } from "./project-value.ts";
import type { RedactionSession } from "./redaction-session.ts";
import { Tally } from "./tally.ts";

/** A projection about to start, with a full budget. */
export function newPass(policy: ResolvedPolicy, session: RedactionSession): ProjectionPass {
  const pass: ProjectionPass = {
    policy,
    session,
    tally: new Tally(policy.maxWork, policy.maxValues),
    projectParsed: (value, level, mediaType) => projectParsed(value, level, pass, mediaType),
    projectPython: (root, text, level) => projectPython(root, text, level, pass),
  };
  return pass;
}
