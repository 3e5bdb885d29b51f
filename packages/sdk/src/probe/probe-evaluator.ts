import { CAPABILITY_SCHEMA, type CapabilityReport } from "../evaluators/openai/capability.ts";
import type { Evaluator } from "../evaluators/evaluator.ts";
import { probeCalls, type ProbeCalls } from "./probe-calls.ts";
import {
  answered,
  labelsListed,
  modelReturned,
  noReasoning,
  reactsToPrompt,
  realValues,
  repeatNoise,
  temperatureDependence,
  topK,
} from "./probe-checks.ts";

/** What a probe found, as its file holds it. */
export interface ProbeReport extends CapabilityReport {
  /** Largest difference between answers to the same prompt, in nats; absent when it is not known. */
  repeat_noise?: number;
  /** Entries of a top list; absent for an evaluator that returns scores itself. */
  top_k?: { asked: number; returned: number };
  /** Least share of the first token's probability that was on labels. */
  label_mass?: number;
  /** Prompts whose supported candidate came out on top: tells what the model is worth, and is no check. */
  right_answers?: { right: number; asked: number };
  calls: number;
}

/** What {@link probeEvaluator} is told. */
export interface ProbeOptions {
  /** The provider preset's name, for the report. */
  preset: string;
  /** The same evaluator at another temperature; without it temperature is not looked at. */
  atTemperature?: (temperature: number) => Evaluator;
  /** The server answers under a name of its own, of a deployment or a file. Default false. */
  renamesModels?: boolean;
  signal?: AbortSignal;
  /** ISO 8601, for the report. Default: now. */
  at?: string;
}

/**
 * Asks an evaluator's endpoint what it can do, before money is spent on scores: four fixed prompts in
 * the form of measured ones, the first of them twice more, and once each at temperatures 0 and 2. At most
 * eight calls, and one when the first failure is one that every call would share.
 *
 * The report says of each check what was seen. `score` refuses an endpoint whose report is not `ok`.
 *
 * @throws the signal's reason once it has fired, and nothing else: a failed call is a finding
 */
export async function probeEvaluator(evaluator: Evaluator, options: ProbeOptions): Promise<ProbeReport> {
  const { preset, atTemperature, signal, at = new Date().toISOString() } = options;
  const { model, kind, endpoint = kind } = evaluator.settings;
  const done = await probeCalls(evaluator, atTemperature, signal);
  const { checks, ...found } = findings(done, evaluator, options);
  const ok = checks.every((check) => check.ok);
  return {
    schema_version: CAPABILITY_SCHEMA,
    endpoint,
    model,
    preset,
    checks,
    ...found,
    calls: done.calls,
    ok,
    at,
  };
}

/** Every check there is an answer for. Without any answer, only why there is none. */
function findings(
  done: ProbeCalls,
  { settings, capabilities }: Evaluator,
  { atTemperature, renamesModels = false }: ProbeOptions,
): Pick<ProbeReport, "checks" | "repeat_noise" | "top_k" | "label_mass" | "right_answers"> {
  const { answers, failures, repeats, cold, hot, asked, right } = done;
  const checks = [answered(done.plainCalls, failures)];
  checks.push(noReasoning(answers, failures));
  if (answers.length === 0) return { checks };
  const { noise, ...steady } = repeatNoise(repeats);
  checks.push(reactsToPrompt(answers), steady, modelReturned(answers, settings.model, renamesModels));
  if (atTemperature !== undefined) checks.push(temperatureDependence(cold, hot, noise, settings.temperature));
  const common = {
    checks,
    ...(repeats.length > 1 && Number.isFinite(noise) && { repeat_noise: noise }),
    right_answers: { right, asked },
  };
  if (!capabilities.usesLabels) return common;
  const { asked: topAsked, returned, ...listed } = topK(answers);
  checks.push(labelsListed(answers), realValues(answers), listed);
  const label_mass = Math.min(...answers.map(({ labelMass = 0 }) => labelMass));
  return { ...common, top_k: { asked: topAsked, returned }, label_mass };
}
