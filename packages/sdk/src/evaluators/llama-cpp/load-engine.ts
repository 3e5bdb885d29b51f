import { AsvError } from "../../errors/index.ts";
import type { LlamaEngine } from "./llama-engine.ts";

// A name in a variable keeps bundlers and the type checker from looking for an optional peer.
const PACKAGE: string = "node-llama-cpp";

/**
 * The optional peer, imported when it is first needed.
 *
 * @throws AsvError `incompatible_evaluator` where it is not installed or does not load
 */
export async function loadEngine(name = PACKAGE): Promise<LlamaEngine> {
  try {
    return (await import(name)) as LlamaEngine;
  } catch (error) {
    throw new AsvError(
      "incompatible_evaluator",
      `The llama-cpp evaluator needs the package ${PACKAGE}, which cannot be loaded here. ` +
        `Install it beside the SDK: npm install ${PACKAGE}@^3.22.1`,
      { package: PACKAGE },
      error,
    );
  }
}
