import {
  TRAJECTORY_SCHEMA,
  type Block,
  type Candidate,
  type Step,
  type Trajectory,
} from "../schema/index.ts";
import { createImportRun, type ImportLog, type ImportRun } from "./import-run.ts";
import { reactEvents, type ReactEvent, type ReactPart } from "./react-events.ts";
import { StateChain } from "./state-chain.ts";

export interface ReactOptions {
  question: string;
  trajectoryId: string;
  /** Default none: the trajectory can be read, and candidates attached later. */
  candidates?: readonly Candidate[];
  /** Id of the reviewed target among the candidates. */
  targetId?: string;
}

interface Turn {
  type: string;
  blocks: Block[];
  answered: boolean;
  line: number;
}

/**
 * The transcript of a ReAct agent (Yao et al., ICLR 2023) as one trajectory: a step is an action with
 * the thought before it and the observation after it, its type the tool's name. `Final Answer:` and
 * `Finish[...]` are steps of type `finish`.
 *
 * Warnings: `preamble` for text before the first heading, which is in no state, `no_observation` for
 * an action without one, `no_action` for an observation without one (its step is called `observe`),
 * `no_steps`.
 */
export function importReact(text: string, options: ReactOptions): ImportRun {
  return createImportRun("react", (log) => generate(text, options, log));
}

async function* generate(text: string, options: ReactOptions, log: ImportLog): AsyncGenerator<Trajectory> {
  const { question, trajectoryId, candidates = [], targetId } = options;
  log.read();
  const place = (line: number) => ({ source: trajectoryId, line });
  const { preamble, events } = reactEvents(text);
  if (preamble !== "") log.warn("preamble", "text before the first heading is in no state", place(1));
  const turns = turnsOf(events);
  if (turns.length === 0) log.warn("no_steps", "no Action:, Observation: or Final Answer: found", place(1));
  for (const { type, answered, line } of turns) {
    if (type === "observe") log.warn("no_action", "an observation without an action", place(line));
    else if (!answered) log.warn("no_observation", "an action without an observation", place(line));
  }
  const chain = new StateChain({ kind: "task", text: question });
  yield {
    schemaVersion: TRAJECTORY_SCHEMA,
    trajectoryId,
    sourceAdapter: "react",
    metadata: {},
    task: {
      taskId: trajectoryId,
      question,
      taskType: "open_qa_candidate_set",
      goldVisibleToEvaluator: false,
      goldUsedOnlyForValidation: true,
      candidateSpace: {
        type: "candidate_set",
        candidates: candidates.map((candidate) => ({ ...candidate })),
        ...(targetId === undefined ? {} : { goldCandidateId: targetId }),
      },
    },
    steps: turns.map(({ type, blocks }, index): Step => ({
      stepId: `turn-${index}`,
      index,
      action: { type },
      observation: {},
      ...chain.append(...blocks),
      cost: {},
      qualityFlags: {},
    })),
    redaction: chain.redaction,
  };
}

const kinds: Record<ReactPart, Block["kind"]> = {
  thought: "reasoning",
  action: "tool_call",
  "action input": "tool_call",
  observation: "evidence",
  "final answer": "answer",
};

/** Groups events into turns: thoughts wait for their action, observations close it. */
function turnsOf(events: readonly ReactEvent[]): Turn[] {
  const turns: Turn[] = [];
  let waiting: Block[] = [];
  for (const { part, text, line } of events) {
    const open = turns.at(-1);
    if (part === "thought") {
      waiting.push({ kind: "reasoning", text });
    } else if (part === "action" || part === "final answer") {
      const type = part === "action" ? toolName(text) : "finish";
      const answer = type === "finish";
      const blocks: Block[] = [...waiting, { kind: answer ? "answer" : "tool_call", name: type, text }];
      turns.push({ type, blocks, answered: answer, line });
      waiting = [];
    } else if (open !== undefined && waiting.length === 0 && (part === "action input" || !open.answered)) {
      open.blocks.push({ kind: kinds[part], name: open.type, text });
      if (part === "observation") open.answered = true;
    } else {
      turns.push({
        type: "observe",
        blocks: [...waiting, { kind: kinds[part], text }],
        answered: true,
        line,
      });
      waiting = [];
    }
  }
  if (waiting.length > 0) turns.push({ type: "think", blocks: waiting, answered: true, line: 0 });
  return turns;
}

/** `Search[Kyoto]` and `search("Kyoto")` are `search`; a bare name is itself. */
function toolName(action: string): string {
  const name = action
    .split(/[[({\s]/, 1)[0]!
    .replace(/[:.]+$/, "")
    .toLowerCase();
  return name === "" ? "action" : name;
}
