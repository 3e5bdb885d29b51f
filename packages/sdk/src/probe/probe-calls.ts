import type { Evaluator } from "../evaluators/evaluator.ts";
import { askProbe, type ProbeAnswer, type ProbeFailure } from "./probe-answer.ts";
import { probeRequests } from "./probe-prompts.ts";

/** All that was asked and answered. */
export interface ProbeCalls {
  calls: number;
  /** Those at the evaluator's own temperature. */
  plainCalls: number;
  /** One a fixed prompt that was answered. */
  answers: ProbeAnswer[];
  /** Answers to the first prompt: the same call again and again. */
  repeats: ProbeAnswer[];
  failures: ProbeFailure[];
  /** Prompts asked, and those whose supported candidate came out on top. */
  asked: number;
  right: number;
  /** The first prompt at temperatures 0 and 2, where these were asked and answered. */
  cold?: ProbeAnswer;
  hot?: ProbeAnswer;
}

/** Further times the first prompt is asked. */
const REPEATS = 2;

/**
 * Makes the calls of a probe, one after the other. Ends at a failure that every call would share.
 * What fails at another temperature is no failure of the endpoint: some take no temperature.
 */
export async function probeCalls(
  evaluator: Evaluator,
  atTemperature: ((temperature: number) => Evaluator) | undefined,
  signal: AbortSignal | undefined,
): Promise<ProbeCalls> {
  const requests = probeRequests(evaluator.capabilities.usesLabels);
  const done: ProbeCalls = {
    calls: 0,
    plainCalls: 0,
    answers: [],
    repeats: [],
    failures: [],
    asked: 0,
    right: 0,
  };
  const lost = () => done.failures.some(({ fatal }) => fatal);
  const ask = async (n: number): Promise<ProbeAnswer | undefined> => {
    if (lost()) return undefined;
    done.calls++;
    done.plainCalls++;
    const { answer, failure } = await askProbe(evaluator, requests[n]!, signal);
    if (failure !== undefined) done.failures.push(failure);
    return answer;
  };
  for (const n of requests.keys()) {
    const answer = await ask(n);
    if (answer === undefined) continue;
    done.answers.push(answer);
    if (n === 0) done.repeats.push(answer);
    if (topCandidate(answer) === `cand-${n + 1}`) done.right++;
  }
  done.asked = requests.length;
  for (let i = 0; i < REPEATS; i++)
    done.repeats.push(...[await ask(0)].filter((answer) => answer !== undefined));
  if (atTemperature === undefined || done.answers.length === 0 || lost()) return done;
  for (const [name, temperature] of [
    ["cold", 0],
    ["hot", 2],
  ] as const) {
    done.calls++;
    const { answer } = await askProbe(atTemperature(temperature), requests[0]!, signal);
    if (answer !== undefined) done[name] = answer;
  }
  return done;
}

function topCandidate({ scores }: ProbeAnswer): string | undefined {
  return Object.entries(scores).toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
