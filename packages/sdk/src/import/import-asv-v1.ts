import { createRedactionSession, projectState, PROJECTION_VERSION } from "../project/index.ts";
import {
  canonicalJson,
  type Block,
  type RedactionSummary,
  type State,
  type Step,
  type Trajectory,
} from "../schema/index.ts";
import { rulesOnly } from "../project/rules-only.ts";
import { createImportRun, type ImportLog, type ImportRun } from "./import-run.ts";
import { StateChain } from "./state-chain.ts";

/**
 * Trajectories in the toolkit's own form. Their states are projected: what another program stored beside
 * the evidence (gold answers, outcomes, secrets) goes, and the report says so: `redacted`, once a
 * trajectory. States that were projected before come through unchanged.
 *
 * One thing is added: a step with an observation but without states gets them, built from the
 * question and the observations up to it, as typed blocks. Such trajectories are written by tools
 * that record only what an action returned. The report says so: `states_from_observations`, once a
 * trajectory. A step with neither stays without, and `no_state` counts it.
 */
export function importAsvV1(trajectories: Iterable<Trajectory> | AsyncIterable<Trajectory>): ImportRun {
  return createImportRun("asv.v1", (log) => generate(trajectories, log));
}

async function* generate(
  trajectories: Iterable<Trajectory> | AsyncIterable<Trajectory>,
  log: ImportLog,
): AsyncGenerator<Trajectory> {
  for await (const trajectory of trajectories) {
    log.read();
    yield projected(withStates(trajectory, log), log);
  }
}

function withStates(trajectory: Trajectory, log: ImportLog): Trajectory {
  const bare = trajectory.steps.filter(isBare);
  const without = bare.filter(({ observation }) => Object.keys(observation).length === 0).length;
  const { trajectoryId } = trajectory;
  if (without > 0) log.warn("no_state", `${trajectoryId}: ${without} steps have no state and no observation`);
  if (bare.length === without) return trajectory;
  log.warn(
    "states_from_observations",
    `${trajectoryId}: states of ${bare.length - without} steps are built from observations`,
  );
  const chain = new StateChain({ kind: "task", text: trajectory.task.question });
  const steps = trajectory.steps.map((step) => {
    const block = observationBlock(step);
    if (block === undefined) return step;
    const states = chain.append(block);
    return isBare(step) ? { ...step, ...states } : step;
  });
  return { ...trajectory, redaction: trajectory.redaction ?? chain.redaction, steps };
}

/** The trajectory with its states projected in one redaction session; the same object where nothing fired. */
function projected(trajectory: Trajectory, log: ImportLog): Trajectory {
  const session = createRedactionSession();
  const hits = new Map<string, number>();
  const known = new Map<State, State>();
  const project = (state: State): State => {
    let safe = known.get(state);
    if (safe === undefined) {
      const result = projectState(state, rulesOnly(), session);
      for (const [rule, count] of Object.entries(result.report.hits))
        hits.set(rule, (hits.get(rule) ?? 0) + count);
      safe = Object.keys(result.report.hits).length === 0 ? state : (result.state as State);
      known.set(state, safe);
    }
    return safe;
  };
  const steps = trajectory.steps.map((step) => ({
    ...step,
    ...(step.stateBefore !== undefined && { stateBefore: project(step.stateBefore) }),
    ...(step.stateAfter !== undefined && { stateAfter: project(step.stateAfter) }),
  }));
  if (hits.size === 0) return trajectory;
  const fired = [...hits].map(([rule, count]) => `${rule} ${count}`).join(", ");
  log.warn("redacted", `${trajectory.trajectoryId}: taken out of its states: ${fired}`);
  return { ...trajectory, redaction: summed(trajectory.redaction, hits), steps };
}

function summed(before: RedactionSummary | undefined, hits: ReadonlyMap<string, number>): RedactionSummary {
  const sum = new Map(Object.entries(before?.hits ?? {}));
  for (const [rule, count] of hits) sum.set(rule, (sum.get(rule) ?? 0) + count);
  return {
    policy: before?.policy ?? rulesOnly().name,
    version: PROJECTION_VERSION,
    hits: Object.fromEntries(sum),
  };
}

function isBare({ stateBefore, stateAfter }: Step): boolean {
  return stateBefore === undefined && stateAfter === undefined;
}

/** An observation as evidence: its `text` where it has one, else all of it as canonical JSON. */
function observationBlock({ action, observation }: Step): Block | undefined {
  if (Object.keys(observation).length === 0) return undefined;
  const text = typeof observation["text"] === "string" ? observation["text"] : canonicalJson(observation);
  return { kind: "evidence", ...(typeof action["type"] === "string" ? { name: action["type"] } : {}), text };
}
