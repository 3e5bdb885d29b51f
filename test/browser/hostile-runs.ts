import {
  defineProtocol,
  freezeCandidates,
  protocols,
  TRAJECTORY_SCHEMA,
  type State,
  type Trajectory,
} from "@agent-step-value/sdk";
import type { ScoredChannel } from "./measured-report.ts";
import { scriptedChannel } from "./scripted-channel.ts";

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
  const channel = scriptedChannel(protocol, trajectories, {
    score: (state, candidate) => (candidate === state % 3 ? -0.1 : -9 - candidate),
    rationale: (state) => HOSTILE_TEXTS[state % HOSTILE_TEXTS.length]!,
  });
  return { trajectories, channel };
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
