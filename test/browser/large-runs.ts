import {
  createRandom,
  freezeCandidates,
  TRAJECTORY_SCHEMA,
  type Block,
  type Random,
  type State,
  type Trajectory,
} from "@agent-step-value/sdk";

const WORDS =
  "river lamp stone harbour winter signal copper meadow engine letter garden window market bridge thunder paper".split(
    " ",
  );

/** A text of about so many characters, drawn from few words. */
export function drawnText(random: Random, chars: number): string {
  let text = "";
  while (text.length < chars)
    text += `${WORDS[random.below(WORDS.length)]!}${random.below(9) === 0 ? ".\n" : " "}`;
  return text;
}

/** Runs whose states are long and change in the middle, over six long candidates. */
export function heavyRuns(runs: number, steps: number): Trajectory[] {
  const random = createRandom(11);
  return Array.from({ length: runs }, (_, n) => {
    const blocks: Block[] = [{ kind: "task", text: drawnText(random, 400) }];
    const states = Array.from({ length: steps + 1 }, (__, i) => {
      if (i > 0) {
        blocks.push({ kind: "evidence", name: `source ${i}`, text: drawnText(random, 2500) });
        blocks[1] = { kind: "plan", name: "plan", text: drawnText(random, 1500) };
      }
      return { blocks: structuredClone(blocks) } as unknown as State;
    });
    return runOf(`heavy-${n}`, drawnText(random, 700), states, 6, random);
  });
}

/** One run of very many small steps. */
export function longRun(steps: number): Trajectory {
  const states = Array.from({ length: steps + 1 }, (_, i): State => ({
    note: `turn ${i}`,
    draft: `draft ${i >> 4}`,
  }));
  return runOf("long", "How long is a run?", states, 4, createRandom(3));
}

function runOf(
  id: string,
  question: string,
  states: readonly State[],
  size: number,
  random: Random,
): Trajectory {
  const candidates = Array.from({ length: size }, (_, i) => ({
    id: `cand-${i + 1}`,
    text: drawnText(random, 160) + i,
  }));
  const space = { type: "candidate_set", candidates, goldCandidateId: "cand-2", labelSource: "test" };
  return {
    schemaVersion: TRAJECTORY_SCHEMA,
    trajectoryId: id,
    sourceAdapter: "test",
    metadata: {},
    task: {
      taskId: id,
      question,
      taskType: "open_qa_candidate_set",
      goldVisibleToEvaluator: false,
      goldUsedOnlyForValidation: true,
      candidateSpace: freezeCandidates(space, question),
    },
    steps: states.slice(1).map((stateAfter, i) => ({
      stepId: `s${i}`,
      index: i,
      action: { type: WORDS[i % 8]!, query: drawnText(random, 200) },
      observation: {},
      stateBefore: states[i]!,
      stateAfter,
      cost: {},
      qualityFlags: {},
    })),
  };
}
