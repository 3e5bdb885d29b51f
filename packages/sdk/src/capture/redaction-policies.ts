import { resolvePolicy, type ProjectionPolicy, type ResolvedPolicy } from "../project/index.ts";
import { isThenable } from "./error-desk.ts";
import { KnownTexts } from "./known-texts.ts";

/** Characters of texts a recorder remembers. */
const RECORDER_CHARS = 200_000;

/** The rules of a recorder: for states with the caller's `project`, for everything else without. */
export interface RedactionPolicies {
  readonly states: ResolvedPolicy;
  readonly values: ResolvedPolicy;
  /**
   * Texts that all trajectories need not be searched again for. Undefined where a rule, detector or
   * limit is the caller's own: such a rule may answer otherwise the next time, and a limit holds for
   * a state as a whole.
   */
  readonly known: KnownTexts | undefined;
  /** Names of fields that no rule looks at. */
  readonly freeNames: KnownTexts;
}

/**
 * Compiles the policies of a recorder.
 *
 * @param project what picks from a live state; in place of the policy's own
 * @throws {InvalidArgumentError} for a policy that cannot be used
 */
export function redactionPolicies(
  policy: ProjectionPolicy = {},
  project: ((state: unknown) => unknown) | undefined = policy.project,
): RedactionPolicies {
  const { project: _, ...rules } = policy;
  return {
    states: resolvePolicy(project === undefined ? rules : { ...rules, project: synchronous(project) }),
    values: resolvePolicy({ ...rules, maxChars: Infinity }),
    known: isRepeatable(rules) ? new KnownTexts(RECORDER_CHARS) : undefined,
    freeNames: new KnownTexts(RECORDER_CHARS),
  };
}

const OWN_RULES = ["keyRules", "textRules", "detectors", "maxDepth", "maxWork", "maxValues"] as const;

function isRepeatable(rules: ProjectionPolicy): boolean {
  return OWN_RULES.every((name) => rules[name] === undefined);
}

/** An async `project` gives a promise, which is no state; if that rejects, the host must not see it. */
function synchronous(project: (state: unknown) => unknown): (state: unknown) => unknown {
  if (typeof project !== "function") return project;
  return (state) => {
    const picked = project(state);
    if (!isThenable(picked)) return picked;
    picked.then(undefined, () => undefined);
    return undefined;
  };
}
