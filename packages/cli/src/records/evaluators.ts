import {
  AsvError,
  DECISIONS_CAUTION,
  lexicalEvaluator,
  showValue,
  type Evaluator,
} from "@agent-step-value/sdk";
import { decisions } from "./decisions.ts";
import { llamaCpp } from "./llama-cpp.ts";
import {
  bodyOption,
  loadModelEvaluators,
  modelClientOptions,
  readCapability,
  type ModelCallOptions,
} from "./model-options.ts";

/** How an evaluator is made, from the options of a command. */
export interface EvaluatorRequest extends ModelCallOptions {
  /** A dry run, which needs no key. */
  dryRun?: boolean;
  /** Told of waits of some seconds. */
  onWait?: (wait: { ms: number; reason: string }) => void;
}

interface EvaluatorChoice {
  summary: string;
  /** Its calls go to a server. */
  remote?: boolean;
  /** Its calls cost money or minutes, so a run is counted before it starts. */
  counted?: boolean;
  make: (request: EvaluatorRequest) => Evaluator | Promise<Evaluator>;
}

const evaluators: Readonly<Record<string, EvaluatorChoice>> = {
  lexical: {
    summary: "words in common; no model, no network, a demonstration",
    make: () => lexicalEvaluator(),
  },
  openai: {
    summary: "first-token log-probabilities of a model behind an OpenAI-compatible address",
    remote: true,
    counted: true,
    make: openai,
  },
  decisions: {
    summary: "choice probabilities of OpenAI's Decisions endpoint; comparable only with their own kind",
    remote: true,
    counted: true,
    make: decisions,
  },
  "llama-cpp": {
    summary: "exact label log-probabilities of a GGUF model in this process; needs node-llama-cpp",
    counted: true,
    make: llamaCpp,
  },
};

/** Names that `--evaluator` takes. */
export const EVALUATOR_NAMES: readonly string[] = Object.keys(evaluators);

/** The evaluator of a name. */
export async function createEvaluator(name: string, request: EvaluatorRequest = {}): Promise<Evaluator> {
  return choiceOf(name).make(request);
}

/** Whether its calls go to a server. */
export function isRemote(name: string): boolean {
  return choiceOf(name).remote === true;
}

/** Whether a run is to be counted before it starts. */
export function isCounted(name: string): boolean {
  return choiceOf(name).counted === true;
}

/** One line an evaluator. */
export function describeEvaluators(): string {
  return Object.entries(evaluators)
    .map(([name, { summary }]) => `${name.padEnd(12)} ${summary}\n`)
    .join("");
}

const cautions: Readonly<Record<string, () => string | undefined>> = {
  lexical: () => lexicalEvaluator().caution,
  decisions: () => DECISIONS_CAUTION,
};

/** The caution of an evaluator kind that a stored score names; undefined where there is none. */
export function cautionOf(kind: string): string | undefined {
  return Object.hasOwn(cautions, kind) ? cautions[kind]!() : undefined;
}

function choiceOf(name: string): EvaluatorChoice {
  const choice = Object.hasOwn(evaluators, name) ? evaluators[name] : undefined;
  if (choice !== undefined) return choice;
  throw new AsvError(
    "unknown_format",
    `There is no evaluator ${showValue(name)}; use ${EVALUATOR_NAMES.join(", ")}.`,
    { evaluator: showValue(name) },
  );
}

async function openai(request: EvaluatorRequest): Promise<Evaluator> {
  const { topLogprobs, temperature, prefill, capabilities, ignoreProbe, onWait } = request;
  const client = await modelClientOptions(request, request.dryRun !== true);
  const { openaiEvaluator } = await loadModelEvaluators();
  const body = bodyOption(request.body);
  return openaiEvaluator({
    ...client,
    ...(topLogprobs !== undefined && { topLogprobs }),
    ...(temperature !== undefined && { temperature }),
    ...(prefill !== undefined && { prefill }),
    ...(body !== undefined && { body }),
    ...(capabilities !== undefined && { capability: await readCapability(capabilities) }),
    ...(ignoreProbe !== undefined && { ignoreProbe }),
    ...(onWait !== undefined && { onWait }),
  });
}
