import { canonicalJson, type Block, type Step, type Trajectory } from "../schema/index.ts";
import { createImportRun, type ImportLog, type ImportRun } from "./import-run.ts";
import { StateChain } from "./state-chain.ts";

/**
 * Trajectories in the toolkit's own form, passed through as they are.
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
    yield withStates(trajectory, log);
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

function isBare({ stateBefore, stateAfter }: Step): boolean {
  return stateBefore === undefined && stateAfter === undefined;
}

/** An observation as evidence: its `text` where it has one, else all of it as canonical JSON. */
function observationBlock({ action, observation }: Step): Block | undefined {
  if (Object.keys(observation).length === 0) return undefined;
  const text = typeof observation["text"] === "string" ? observation["text"] : canonicalJson(observation);
  return { kind: "evidence", ...(typeof action["type"] === "string" ? { name: action["type"] } : {}), text };
}
