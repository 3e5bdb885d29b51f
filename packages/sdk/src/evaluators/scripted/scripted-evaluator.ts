import { logSumExp } from "../../math/index.ts";
import { sha256Hex, type ByCandidate, type TopLogprob } from "../../schema/index.ts";
import type { EvaluatorSettings } from "../../protocol/index.ts";
import type {
  Evaluator,
  EvaluatorCapabilities,
  EvaluatorReply,
  RationaleReply,
  RationaleRequest,
  ScoreRequest,
} from "../evaluator.ts";

/** What a script may answer a scored call with: a whole reply, log scores by candidate, or a top list. */
export type ScriptedReply = EvaluatorReply | ByCandidate | TopLogprob[];

/** What {@link scriptedEvaluator} is told. Everything has a default that needs no network and no chance. */
export interface ScriptedOptions {
  /**
   * Answers the n-th scored call, counted from 0; may throw or wait. Log scores by candidate are
   * returned as first-token log-probabilities of the labels in the request, or as they are when the
   * evaluator uses no labels. Default: scores drawn from a hash of state and candidate.
   */
  reply?: (request: ScoreRequest, call: number) => ScriptedReply | Promise<ScriptedReply>;
  /** Writes the n-th rationale. Default: one line a candidate id found in the prompt's manifest. */
  rationale?: (
    request: RationaleRequest,
    call: number,
  ) => string | RationaleReply | Promise<string | RationaleReply>;
  /** Awaited before each call, for tests of order and concurrency. */
  before?: (call: number, signal: AbortSignal | undefined) => Promise<void>;
  settings?: Partial<EvaluatorSettings>;
  capabilities?: Partial<EvaluatorCapabilities>;
  caution?: string;
}

/** An evaluator that says what it is told to, and remembers what it was asked. */
export interface ScriptedEvaluator extends Evaluator {
  /** Calls begun so far. */
  readonly calls: { readonly score: number; readonly rationale: number };
  /** Most calls that ran at the same time. */
  readonly mostAtOnce: number;
  /** Every request, in the order of arrival. */
  readonly requests: readonly (ScoreRequest | RationaleRequest)[];
}

/** A test double for any code that takes an {@link Evaluator}. */
export function scriptedEvaluator(options: ScriptedOptions = {}): ScriptedEvaluator {
  const calls = { score: 0, rationale: 0 };
  const requests: (ScoreRequest | RationaleRequest)[] = [];
  let running = 0;
  let mostAtOnce = 0;
  const usesLabels = options.capabilities?.usesLabels ?? true;

  const during = async <T>(
    request: ScoreRequest | RationaleRequest,
    answer: () => T | Promise<T>,
  ): Promise<T> => {
    requests.push(request);
    mostAtOnce = Math.max(mostAtOnce, ++running);
    try {
      await options.before?.(requests.length - 1, request.signal);
      request.signal?.throwIfAborted();
      return await answer();
    } finally {
      running--;
    }
  };
  return {
    settings: {
      kind: "scripted",
      model: "scripted-1",
      temperature: 0,
      thinking: false,
      topLogprobs: usesLabels ? 20 : 0,
      ...options.settings,
    },
    capabilities: {
      maxCandidates: 26,
      usesLabels,
      rationale: true,
      deterministic: true,
      slices: true,
      ...options.capabilities,
    },
    ...(options.caution !== undefined && { caution: options.caution }),
    calls,
    requests,
    get mostAtOnce() {
      return mostAtOnce;
    },
    score: (request) => {
      const call = calls.score++;
      return during(request, async () =>
        asReply(await (options.reply ?? hashScores)(request, call), request),
      );
    },
    rationale: (request) => {
      const call = calls.rationale++;
      return during(request, async () =>
        asRationale(await (options.rationale ?? nameCandidates)(request, call)),
      );
    },
  };
}

function asReply(said: ScriptedReply, { labelToCandidate }: ScoreRequest): EvaluatorReply {
  if (Array.isArray(said)) return { form: "logprobs", topLogprobs: said, topkAsked: said.length, flags: [] };
  if ("form" in said && typeof said.form === "string") return said as EvaluatorReply;
  const scores = said as ByCandidate;
  const labels = Object.entries(labelToCandidate);
  if (labels.length === 0) return { form: "candidates", scores, flags: [] };
  const topLogprobs = labels.map(([token, id]) => ({ token, logprob: scores[id] ?? null }));
  return { form: "logprobs", topLogprobs, topkAsked: topLogprobs.length, flags: [] };
}

function asRationale(said: string | RationaleReply): RationaleReply {
  return typeof said === "string" ? { text: said, finishReason: "stop" } : said;
}

/** Log-probabilities that depend on the shown blocks and the candidate, and not on its label. */
function hashScores({ blocks, candidates }: ScoreRequest): ByCandidate {
  const state = blocks.map(({ text }) => text).join("\n");
  const drawn = candidates.map(({ id }) => {
    return (8 * Number.parseInt(sha256Hex(`${state}\n${id}`).slice(0, 8), 16)) / 2 ** 32;
  });
  const total = logSumExp(drawn);
  return Object.fromEntries(candidates.map(({ id }, i) => [id, drawn[i]! - total]));
}

function nameCandidates({ prompt }: RationaleRequest): string {
  const ids = prompt.split("\n").filter((line) => line.startsWith("candidate_id: "));
  return ids
    .map((line) => `${line.slice("candidate_id: ".length)}: nothing speaks for or against it.`)
    .join("\n");
}
