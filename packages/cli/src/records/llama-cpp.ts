import { AsvError, type Evaluator } from "@agent-step-value/sdk";

/** A model file in this process. */
export interface LlamaCppRequest {
  /** A GGUF file. */
  model?: string;
  threads?: number;
  context?: number;
}

/** The in-process evaluator. What it holds is freed by `dispose`, or with the process. */
export async function llamaCpp({ model, threads, context }: LlamaCppRequest): Promise<Evaluator> {
  if (model === undefined)
    throw new AsvError("invalid_argument", "Evaluator llama-cpp needs --model FILE, a GGUF file.");
  const { llamaCppEvaluator } = await import("@agent-step-value/sdk/evaluators/llama-cpp");
  return llamaCppEvaluator({
    modelPath: model,
    ...(threads !== undefined && { threads }),
    ...(context !== undefined && { contextSize: context }),
  });
}

/** Frees what an evaluator holds, if it holds anything. */
export async function disposeOf(evaluator: Evaluator): Promise<void> {
  const dispose: unknown = Reflect.get(evaluator, "dispose");
  if (typeof dispose === "function") await Reflect.apply(dispose, evaluator, []);
}
