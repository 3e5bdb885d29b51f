import type { RecordPlace } from "../../errors/index.ts";
import { isJsonObject, type JsonObject, type Step, type Trajectory } from "../../schema/index.ts";
import type { ChatMessage } from "../chat/chat-message.ts";
import { chatTurns, firstQuestion } from "../chat/chat-turns.ts";
import { readMessage } from "../chat/read-message.ts";
import { foreignTrajectory } from "../foreign-run.ts";
import { foreignStep, costOf } from "../foreign-step.ts";
import type { ImportLog } from "../import-run.ts";
import { StateChain } from "../state-chain.ts";

/** What both kinds of tau-bench records come down to. */
export interface TauRun {
  readonly id: string;
  readonly adapter: string;
  readonly taskId: string;
  readonly domain?: string;
  readonly messages: readonly ChatMessage[];
  readonly question?: string | undefined;
  /** 1 where the run did all that was required; it is the outcome and in no state. */
  readonly reward?: number | undefined;
  readonly metadata: JsonObject;
}

/** A reward below this is no success; both benches give products of 0 and 1. */
const FULL_REWARD = 1 - 1e-6;

/** A conversation between agent, user and tools as a trajectory: a step is a turn of the agent. */
export function tauTrajectory(run: TauRun, place: RecordPlace, log: ImportLog): Trajectory {
  const question = run.question ?? firstQuestion(run.messages);
  const { opening, turns } = chatTurns(run.messages, question);
  const chain = StateChain.of(opening);
  const steps = turns.map(({ index, type, calls, blocks }, at): Step =>
    foreignStep(
      { stepId: `message-${index}`, index: at, type, cost: costOf({ tool_calls: calls }) },
      chain.add(blocks),
      chain,
    ),
  );
  const { reward } = run;
  return foreignTrajectory(
    {
      ...run,
      question,
      chain,
      steps,
      origin: { source: "messages", fidelity: "reconstructed" },
      ...(reward !== undefined && { finalScore: reward, success: reward >= FULL_REWARD }),
    },
    place,
    log,
  );
}

/** The messages of a record; what is none is counted and left out. */
export function tauMessages(
  values: readonly unknown[],
  id: string,
  place: RecordPlace,
  log: ImportLog,
): ChatMessage[] {
  return values.flatMap((value, i) => {
    const read = readMessage(value);
    if (read === undefined) log.warn("not_a_message", `${id}: message ${i} has no role; left out`, place);
    return read ?? [];
  });
}

/** A reward that is a number; anything else is missing, which is not zero. */
export function tauReward(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Tells whether the record says what the agent had to do: the answer key, which goes nowhere. */
export function saysRequiredActions(task: unknown): boolean {
  if (!isJsonObject(task)) return false;
  const criteria = isJsonObject(task["evaluation_criteria"]) ? task["evaluation_criteria"] : task;
  return Array.isArray(criteria["actions"]) && criteria["actions"].length > 0;
}
