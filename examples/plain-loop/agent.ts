import type { Recorder } from "@agent-step-value/sdk/capture";
import { nextModule, type State } from "./modules.ts";

const candidates = [
  { id: "cand-1", text: "18:40" },
  { id: "cand-2", text: "21:15" },
  { id: "cand-3", text: "There is no crossing" },
  { id: "none-of-the-above", text: "None of the above is supported" },
];

/** Answers a question with modules in a plain loop. Three lines capture it; a fourth ends the run. */
export async function answerQuestion(question: string, recorder: Recorder): Promise<string> {
  let state: State = { question, queries: [], evidence: [] };
  const run = recorder.trajectory({ task: { id: question, question, candidates } });
  for (let module = nextModule(state); module !== undefined; module = nextModule(state)) {
    const step = run.step({ action: { type: module.name }, before: state });
    state = { ...state, ...(await module.run(state)) };
    step.end({ after: state });
  }
  run.close({ status: "complete" });
  return state.answer ?? "";
}
