import {
  candidateSetSha256,
  defineProtocol,
  freezeCandidates,
  protocolRecord,
  protocols,
  stateSha256,
  TRAJECTORY_SCHEMA,
  type ScoreFileRecord,
  type State,
  type Trajectory,
} from "@agent-step-value/sdk";
import type { ScoredChannel } from "./measured-report.ts";

const RUN = "window.pwned = true; alert(1)";

/** Texts that try to leave the place they are put into. Each comes after the others somewhere in the run. */
export const HOSTILE_TEXTS: readonly string[] = [
  `<script id="pwned">${RUN}</script>`,
  `"><img id=pwned src=x onerror="${RUN}">`,
  `'><svg id='pwned' onload='${RUN}'><animate onbegin=${RUN}>`,
  `</style></script></title></textarea></details></table></section></main><h1 id="pwned">taken over</h1>`,
  `<!-- --!> <iframe srcdoc="<script>parent.${RUN}</script>"></iframe> ]]>`,
  `<a id=pwned href="javascript:${RUN}">x</a><meta http-equiv=refresh content="0;url=http://127.0.0.1:9/">`,
  `<link rel=stylesheet href="http://127.0.0.1:9/x.css"><base href="http://127.0.0.1:9/">`,
  "right to left \u202Eexe.txt\u202C \u2066isolate\u2069 \u200Fmark",
  "nul \u0000 bell \u0007 escape \u001B[31m tags \u{E0041}\u{E0042} zero\u200Bwidth \uFEFF soft\u00ADhyphen",
  "e\u0301\u0323\u0330\u0331\u0332\u0333\u0347\u0348\u0349\u034A\u034B\u034C".repeat(200),
  "x".repeat(1_000_000),
  "&lt;b id=pwned&gt; &#60;script&#62; ${process.exit()} `backtick` {{7*7}} __proto__ constructor",
];

/** A run whose every text is hostile, and a rationale channel that scored it. */
export function hostileRuns(): { trajectories: Trajectory[]; channel: ScoredChannel } {
  const protocol = defineProtocol({
    ...protocols.rationale128,
    name: `rationale ${HOSTILE_TEXTS[0]!.slice(0, 60)}`,
    evaluator: {
      kind: "scripted",
      model: "<b id=pwned>model</b>",
      temperature: 0,
      thinking: false,
      topLogprobs: 20,
    },
  });
  const trajectories = [hostileRun(0), hostileRun(1)];
  const records: ScoreFileRecord[] = [protocolRecord(protocol)];
  for (const { task, steps } of trajectories) {
    const { candidates } = task.candidateSpace;
    const identity = {
      taskId: task.taskId,
      candidateSetSha256: candidateSetSha256(task.question, candidates),
      protocolId: protocol.id,
    };
    const states = [steps[0]!.stateBefore!, ...steps.map(({ stateAfter }) => stateAfter!)];
    for (const [i, state] of states.entries()) {
      const digest = stateSha256(state);
      records.push({
        record: "rationale",
        ...identity,
        stateSha256: digest,
        text: HOSTILE_TEXTS[i % HOSTILE_TEXTS.length]!,
        flags: [],
        coverage: 1,
        promptSha256: digest,
      });
      records.push({
        record: "score",
        ...identity,
        stateSha256: digest,
        evaluator: { kind: "scripted", model: protocol.evaluator.model },
        mapping: { design: "fixed", index: 0, order: candidates.map(({ id }) => id) },
        scores: Object.fromEntries(candidates.map(({ id }, at) => [id, at === i % 3 ? -0.1 : -9 - at])),
        floored: [],
        flags: [],
      });
    }
  }
  return { trajectories, channel: { protocol, records } };
}

function hostileRun(n: number): Trajectory {
  const question = HOSTILE_TEXTS.slice(0, 9).join(" ");
  const candidates = ["cand-1", "__proto__x", '<i id="pwned">'].map((id, i) => ({
    id,
    text: HOSTILE_TEXTS[i + n]!,
  }));
  const states = HOSTILE_TEXTS.map((text, i): State =>
    i % 2 === 0
      ? {
          blocks: HOSTILE_TEXTS.slice(0, i + 1).map((block, at) => ({
            kind: "evidence",
            name: text.slice(0, 99),
            text: `${at} ${block}`,
          })) as never,
        }
      : { [text.slice(0, 200)]: text, draft: `${i} ${text}`, list: [text, { constructor: text }] as never },
  );
  return {
    schemaVersion: TRAJECTORY_SCHEMA,
    trajectoryId: `run ${n} ${HOSTILE_TEXTS[3]!}`,
    sourceAdapter: "test",
    metadata: {},
    status: '<b id="pwned">status</b>',
    task: {
      taskId: `task ${n}`,
      question,
      taskType: "open_qa_candidate_set",
      goldVisibleToEvaluator: false,
      goldUsedOnlyForValidation: true,
      candidateSpace: freezeCandidates(
        { type: "candidate_set", candidates, goldCandidateId: candidates[0]!.id, labelSource: "test" },
        question,
      ),
    },
    steps: states.slice(1).map((stateAfter, i) => ({
      stepId: `step ${i} ${HOSTILE_TEXTS[i]!.slice(0, 300)}`,
      index: i,
      action: { type: i === 5 ? "__proto__" : HOSTILE_TEXTS[i]!.slice(0, 300), query: HOSTILE_TEXTS[i]! },
      observation: {},
      stateBefore: states[i]!,
      stateAfter,
      cost: {},
      qualityFlags: {},
      label: HOSTILE_TEXTS[i]!.slice(0, 200),
      labelSource: HOSTILE_TEXTS[1]!,
      extra: { label_note: HOSTILE_TEXTS[i]! },
    })),
  };
}
