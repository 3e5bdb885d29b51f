import type { CapabilityCheck } from "../evaluators/openai/capability.ts";
import { answerDistance } from "./answer-distance.ts";
import type { ProbeAnswer } from "./probe-answer.ts";

/** Repeats of one prompt may differ this much, in nats, before the numbers mean nothing. */
const MOST_NOISE = 0.5;
/** At or below this a value is a server's way of saying "not in my list". */
const SENTINEL = -9000;

const check = (name: string, ok: boolean, detail: string): CapabilityCheck => ({ name, ok, detail });

/** Whether every call brought an answer that could be read. */
export function answered(calls: number, failures: readonly { reason: string }[]): CapabilityCheck {
  const name = "answered";
  if (failures.length === 0) return check(name, true, `${calls} of ${calls} calls`);
  const reasons = [...new Set(failures.map(({ reason }) => reason))].slice(0, 3);
  return check(
    name,
    false,
    `${failures.length} of ${calls} calls brought no usable answer: ${reasons.join("; ")}`,
  );
}

/** Whether every label of every prompt was in the list. */
export function labelsListed(answers: readonly ProbeAnswer[]): CapabilityCheck {
  const short = answers.filter(({ floored }) => floored.length > 0).length;
  const name = "labels_listed";
  if (short === 0) return check(name, true, `all labels in all ${answers.length} lists`);
  return check(name, false, `a label is missing from ${short} of ${answers.length} lists`);
}

/** Whether lists hold real values, and not 0 and -9999 alone. */
export function realValues(answers: readonly ProbeAnswer[]): CapabilityCheck {
  const values = answers.flatMap(({ list = [] }) => list.map(({ logprob }) => logprob));
  const real = values.filter((value) => value !== null && value > SENTINEL && value < 0).length;
  const sentinels = values.filter((value) => value === null || value <= SENTINEL).length;
  const detail = `${real} of ${values.length} listed values are log-probabilities, ${sentinels} are sentinels`;
  return check("real_values", real * 2 >= values.length, detail);
}

/** Whether the answers depend on what is shown. */
export function reactsToPrompt(answers: readonly ProbeAnswer[]): CapabilityCheck {
  const [first, ...others] = answers;
  const same = others.length > 0 && others.every((other) => answerDistance(first!, other) === 0);
  const flat = answers.filter(({ flags }) => flags.includes("degenerate_distribution")).length;
  const name = "reacts_to_prompt";
  if (flat > 0)
    return check(name, false, `all candidates score alike in ${flat} of ${answers.length} answers`);
  if (same) return check(name, false, "different prompts got the same answer");
  return check(name, true, "different prompts get different answers");
}

/** Whether hidden reasoning came before the answer. */
export function noReasoning(
  answers: readonly ProbeAnswer[],
  failures: readonly { flag?: string }[],
): CapabilityCheck {
  const answered = answers.filter(
    ({ usage, flags }) => (usage?.reasoningTokens ?? 0) > 0 || flags.includes("reasoning_tokens"),
  ).length;
  const reasoned = answered + failures.filter(({ flag }) => flag === "reasoning_tokens").length;
  const detail =
    reasoned === 0
      ? "no reasoning was seen"
      : `the model reasoned in ${reasoned} calls although it was told not to`;
  return check("no_reasoning", reasoned === 0, detail);
}

/** Largest difference between answers to the same prompt. */
export function repeatNoise(repeats: readonly ProbeAnswer[]): CapabilityCheck & { noise: number } {
  let noise = 0;
  for (const a of repeats) for (const b of repeats) noise = Math.max(noise, answerDistance(a, b));
  const detail = `answers to the same prompt differ by at most ${noise} nats`;
  return { ...check("repeat_noise", noise <= MOST_NOISE, detail), noise };
}

/** Whether log-probabilities move with the temperature; they may, as long as calls are made at 1. */
export function temperatureDependence(
  cold: ProbeAnswer | undefined,
  hot: ProbeAnswer | undefined,
  noise: number,
  own: number,
): CapabilityCheck {
  const name = "temperature";
  if (cold === undefined || hot === undefined) {
    return check(name, true, "not known: the server did not answer at temperatures 0 and 2");
  }
  const moved = answerDistance(cold, hot);
  if (moved <= Math.max(noise, 1e-9)) return check(name, true, "lists are the same at temperatures 0 and 2");
  const what = `lists differ by ${moved} nats between temperatures 0 and 2`;
  return own === 1
    ? check(name, true, `${what}; calls are made at 1, which leaves values as they are`)
    : check(name, false, `${what}; score at temperature 1, not ${own}`);
}

/** Entries returned against entries asked for. */
export function topK(answers: readonly ProbeAnswer[]): CapabilityCheck & { asked: number; returned: number } {
  const asked = Math.max(...answers.map(({ topkAsked = 0 }) => topkAsked));
  const returned = Math.min(...answers.map(({ list = [] }) => list.length));
  return { ...check("top_k", returned > 0, `${returned} of ${asked} entries returned`), asked, returned };
}

/** Whether the model that answered is the one that was asked, a dated version of it included. */
export function modelReturned(
  answers: readonly ProbeAnswer[],
  asked: string,
  renamed: boolean,
): CapabilityCheck {
  const name = "model_returned";
  const names = [...new Set(answers.flatMap(({ model }) => (model === undefined ? [] : [model])))];
  if (names.length === 0) return check(name, true, "the server does not say which model answered");
  const other = names.find((model) => !baseName(model).startsWith(baseName(asked)));
  if (other === undefined) return check(name, true, names.join(", "));
  const shown = JSON.stringify(other.slice(0, 100));
  return renamed
    ? check(name, true, `${shown}, under a name of this server's own`)
    : check(name, false, `${shown} answered, ${JSON.stringify(asked)} was asked`);
}

/** Without a vendor's prefix, since some routers add one and some leave it out. */
function baseName(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1).toLowerCase();
}
