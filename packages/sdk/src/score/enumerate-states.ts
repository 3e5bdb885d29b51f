import { checkFrozen, labelMappings, mappingBalance, validateCandidates } from "../candidates/index.ts";
import { AsvError, showValue } from "../errors/index.ts";
import type { ShownCandidate } from "../evaluators/evaluator.ts";
import { createRedactionSession } from "../project/index.ts";
import {
  candidateSetSha256,
  sha256Hex,
  stateSha256,
  type Block,
  type MappingRow,
  type QualityFlag,
  type State,
  type Trajectory,
} from "../schema/index.ts";
import type { AnswerScope } from "./answer-desk.ts";
import { memoryCache } from "./score-cache.ts";
import type { ScoringPlanOptions } from "./score-options.ts";
import { shownBlocks } from "./shown-blocks.ts";

/** One state to score under all label mappings. The target is not in it. */
export interface StateUnit {
  taskId: string;
  question: string;
  /** In frozen order. */
  candidates: readonly ShownCandidate[];
  candidateSetSha256: string;
  stateSha256: string;
  /** 0-based place among the distinct states of its trajectory, and how many these are. */
  position: number;
  positions: number;
  blocks: readonly Block[];
  rows: readonly MappingRow[];
  flags: readonly QualityFlag[];
  scope: AnswerScope;
}

const LABEL_FREE: MappingRow = { design: "label-free", index: 0, order: [] };

/**
 * The work of a run, in order: trajectories as they come, the states of each along its chain, a
 * state that occurs again in its trajectory only once. A dry run and a real one both walk this.
 *
 * @throws AsvError `unfrozen_candidates`, `incompatible_evaluator`; InvalidArgumentError for a
 * candidate set that cannot be used
 */
export async function* enumerateStates(
  trajectories: AsyncIterable<Trajectory> | Iterable<Trajectory>,
  options: ScoringPlanOptions,
): AsyncGenerator<StateUnit, void, undefined> {
  const shared = options.cache === undefined ? undefined : scopeOf(options.cache);
  for await (const trajectory of trajectories) {
    const task = taskUnit(trajectory, options);
    const scope = shared ?? scopeOf(memoryCache());
    const states = distinctStates(trajectory);
    const session = createRedactionSession();
    let next = 0;
    for (const [digest, state] of states) {
      const position = next++;
      // Before the shard is asked: placeholders are numbered along the whole trajectory.
      const { blocks, truncated, redacted } = shownBlocks(state, options.protocol.projection, session);
      if (!inShard(task.candidateSetSha256, digest, options.shard)) continue;
      const flags: QualityFlag[] = [...task.flags];
      if (truncated) flags.push("state_truncated");
      if (redacted) flags.push("redacted_at_scoring");
      yield { ...task, stateSha256: digest, position, positions: states.size, blocks, flags, scope };
    }
  }
}

/** By digest, in the order in which they first occur. */
function distinctStates(trajectory: Trajectory): Map<string, State> {
  const states = new Map<string, State>();
  for (const { stateBefore, stateAfter } of trajectory.steps) {
    for (const state of [stateBefore, stateAfter]) {
      const digest = state === undefined ? undefined : stateSha256(state);
      if (digest !== undefined && !states.has(digest)) states.set(digest, state!);
    }
  }
  return states;
}

/** What all states of a trajectory share. */
function taskUnit({ trajectoryId, task }: Trajectory, options: ScoringPlanOptions) {
  const { protocol, evaluator, allowUnreviewed = false } = options;
  const { taskId, question, candidateSpace } = task;
  const where = `Trajectory ${showValue(trajectoryId)}`;
  if (candidateSpace.candidates.length === 0) {
    throw new AsvError(
      "unfrozen_candidates",
      `${where} has no candidate set; attach one (asv candidates attach).`,
      {
        trajectoryId,
      },
    );
  }
  validateCandidates(candidateSpace.candidates, "read");
  const check = checkFrozen(candidateSpace, question);
  if (!check.frozen && !allowUnreviewed) {
    throw new AsvError(
      "unfrozen_candidates",
      `${where} cannot be scored: ${check.message}. Review and freeze the set (asv candidates freeze), ` +
        "or allow it unreviewed; every number then carries a flag.",
      { trajectoryId, reason: check.reason },
    );
  }
  const candidates = candidateSpace.candidates.map(({ id, text }) => ({ id, text }));
  const { maxCandidates, usesLabels } = evaluator.capabilities;
  if (candidates.length > maxCandidates) {
    throw new AsvError(
      "incompatible_evaluator",
      `${where} has ${candidates.length} candidates; evaluator ${evaluator.settings.kind} can list ${maxCandidates}.`,
      { trajectoryId, candidates: candidates.length, maxCandidates },
    );
  }
  const ids = candidates.map(({ id }) => id);
  const flags: QualityFlag[] = check.frozen ? [] : ["unreviewed_candidates"];
  const { mappings } = protocol;
  if (usesLabels && mappings.design === "balanced" && !mappingBalance(ids.length, mappings).places) {
    flags.push("unbalanced_mappings");
  }
  return {
    taskId,
    question,
    candidates,
    candidateSetSha256: candidateSetSha256(question, candidates),
    rows: usesLabels ? labelMappings(ids, mappings, taskId) : [LABEL_FREE],
    flags,
  };
}

function scopeOf(cache: AnswerScope["cache"]): AnswerScope {
  return { cache, pending: new Map(), firstUnits: new Map() };
}

/** Equal states of a task fall in the same shard, so that shards do not pay for one call twice. */
function inShard(setSha256: string, stateDigest: string, shard: ScoringPlanOptions["shard"]): boolean {
  if (shard === undefined || shard.count === 1) return true;
  const draw = Number.parseInt(sha256Hex(`${setSha256}\n${stateDigest}`).slice(0, 12), 16);
  return draw % shard.count === shard.index;
}
