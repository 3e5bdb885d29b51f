import type { Protocol } from "@agent-step-value/sdk";
import { plural } from "../markup/foreign.ts";

/** One part of ρ = (Φ, E, R, Π, Ψ, N) in words. */
export interface ProtocolPart {
  symbol: string;
  name: string;
  words: string;
}

/** The six parts of a protocol (paper section 3.1), each in a few words. */
export function protocolParts(protocol: Protocol): ProtocolPart[] {
  const { projection, evaluator, template, normalisation } = protocol;
  const { floor, variants } = normalisation;
  return [
    {
      symbol: "Φ",
      name: "State shown",
      words: `${sliceWords(projection.slice)}, at most ${projection.maxChars.toLocaleString("en")} characters`,
    },
    { symbol: "E", name: "Evaluator", words: evaluatorWords(evaluator) },
    { symbol: "R", name: "Rationale", words: bufferWords(protocol.buffer) },
    { symbol: "Π", name: "Label layouts", words: mappingWords(protocol) },
    { symbol: "Ψ", name: "Prompt", words: template },
    {
      symbol: "N",
      name: "Scores",
      words: `absent label ${floor.rule === "bounded" ? "at most" : "exactly"} ${String(floor.score).replace("-", "\u2212")}; ${variants}`,
    },
  ];
}

const slices: Readonly<Record<Protocol["projection"]["slice"], string>> = {
  full: "the full state",
  evidence: "task and evidence only",
  "agent-output": "task and what the agent wrote",
  none: "no state (control)",
};

function sliceWords(slice: Protocol["projection"]["slice"]): string {
  return slices[slice];
}

function evaluatorWords({ kind, model, temperature, endpoint, topLogprobs }: Protocol["evaluator"]): string {
  const parts = [kind === model ? kind : `${kind}: ${model}`];
  if (endpoint !== undefined) parts.push(`at ${endpoint}`);
  if (topLogprobs > 0) parts.push(`temperature ${temperature}`, `top ${topLogprobs} log-probabilities`);
  return parts.join(", ");
}

/** A buffer policy in words. */
export function bufferWords(buffer: Protocol["buffer"]): string {
  switch (buffer.kind) {
    case "none":
      return "none; the answer is scored directly";
    case "generated":
      return `written by the evaluator first, at most ${buffer.maxTokens} tokens`;
    case "extractive":
      return `sentences of the state word for word, at most ${buffer.maxTokens} tokens`;
    case "swapped":
      return `another task's, at most ${buffer.maxTokens} tokens (control)`;
  }
}

function mappingWords({ mappings }: Protocol): string {
  return mappings.design === "fixed"
    ? "one fixed layout (B = 1)"
    : `${plural(mappings.count, "balanced layout")} (B = ${mappings.count}, seed ${mappings.seed})`;
}
