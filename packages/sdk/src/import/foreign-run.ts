import type { RecordPlace } from "../errors/index.ts";
import {
  TRAJECTORY_SCHEMA,
  type CandidateSpace,
  type JsonObject,
  type Step,
  type Trajectory,
} from "../schema/index.ts";
import type { ImportLog } from "./import-run.ts";
import type { StateChain } from "./state-chain.ts";

/** How the states of an imported run were come by. */
export interface StateOrigin {
  /**
   * - `model_input`: the before-state of every model call is the input its source recorded for it
   * - `state_events`: as that, and the source's own record of state changes was applied
   * - `messages`: the conversation up to each turn, of a source that keeps it once and whole
   * - `accumulated`: put together from what calls gave back, since their inputs are absent or partial
   */
  readonly source: "model_input" | "state_events" | "messages" | "accumulated";
  /** `recorded` where the source has the state itself, `reconstructed` where it was put together here. */
  readonly fidelity: "recorded" | "reconstructed";
}

/** What an importer found of one run. */
export interface ForeignRun {
  readonly id: string;
  readonly adapter: string;
  readonly question: string;
  readonly taskId?: string;
  readonly taskType?: string;
  readonly domain?: string;
  readonly candidateSpace?: CandidateSpace;
  readonly chain: StateChain;
  readonly steps: readonly Step[];
  readonly origin: StateOrigin;
  /** For the owner of the file; never part of a state. */
  readonly metadata?: JsonObject;
  readonly success?: boolean;
  readonly finalScore?: number;
  readonly status?: string;
}

const NO_CANDIDATES: CandidateSpace = { type: "candidate_set", candidates: [] };

/** A trajectory of what an importer found; its question is shown as the states show it. */
export function foreignTrajectory(run: ForeignRun, place: RecordPlace, log: ImportLog): Trajectory {
  const { id, chain, origin, candidateSpace = NO_CANDIDATES } = run;
  if (run.steps.length === 0) log.warn("no_steps", `${id}: nothing in it is a step`, place);
  if (run.question.trim() === "") {
    log.warn("no_question", `${id}: says nowhere what was asked; give it, or attach a set by task id`, place);
  }
  if (candidateSpace.candidates.length === 0) {
    log.warn("no_candidates", `${id}: has no answers to choose from; attach a candidate set`, place);
  }
  return {
    schemaVersion: TRAJECTORY_SCHEMA,
    trajectoryId: id,
    sourceAdapter: run.adapter,
    metadata: {
      ...redactedTexts(run.metadata ?? {}, chain),
      state_source: origin.source,
      fidelity: origin.fidelity,
    },
    ...(run.finalScore !== undefined && Number.isFinite(run.finalScore) && { finalScore: run.finalScore }),
    ...(run.success !== undefined && { success: run.success }),
    task: {
      taskId: run.taskId ?? id,
      question: chain.redact(run.question),
      taskType: run.taskType ?? "agent_task",
      ...(run.domain !== undefined && { domain: run.domain }),
      goldVisibleToEvaluator: false,
      goldUsedOnlyForValidation: true,
      candidateSpace,
    },
    steps: [...run.steps],
    ...(run.status !== undefined && { status: run.status }),
    redaction: chain.redaction,
  };
}

function redactedTexts(metadata: JsonObject, chain: StateChain): JsonObject {
  const shown: [string, JsonObject[string]][] = Object.entries(metadata).map(([key, value]) => [
    key,
    typeof value === "string" ? chain.redact(value) : value,
  ]);
  return Object.fromEntries(shown);
}
