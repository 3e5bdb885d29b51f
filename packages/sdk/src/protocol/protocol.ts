import type { MappingDesign } from "../candidates/index.ts";
import type { Slice } from "../project/index.ts";

export type { MappingDesign, Slice };

/** Text written before the scored call (the paper's rationale buffer policy R). */
export type BufferPolicy =
  | { kind: "none" }
  | { kind: "generated"; maxTokens: number }
  | { kind: "extractive"; maxTokens: number }
  | { kind: "swapped"; maxTokens: number };

/** E: the evaluator and how it is called. */
export interface EvaluatorSettings {
  kind: string;
  model: string;
  temperature: number;
  thinking: boolean;
  /** How many top log-probabilities are asked for; 0 where the evaluator returns scores itself. */
  topLogprobs: number;
  /** Short name of the server that answers, never an address with a key in it. */
  endpoint?: string;
  /** Whatever else changes what is sent or how it is answered: log-prob mode, answer prefix, seed. */
  parameters?: Readonly<Record<string, string | number | boolean>>;
}

/** N: how a reply becomes log scores. */
export interface Normalisation {
  floor: { rule: "bounded" | "constant"; score: number };
  /** Names the token-variant rules; changes when they do. */
  variants: "label-variants-1";
}

/** ρ = (Φ, E, R, Π, Ψ, N) before it is given its id (paper section 3.1). */
export interface ProtocolSettings {
  projection: { slice: Slice; maxChars: number };
  evaluator: EvaluatorSettings;
  buffer: BufferPolicy;
  mappings: MappingDesign;
  /** Ψ: id of the one prompt template. */
  template: "asv-skeleton-1";
  normalisation: Normalisation;
}

/** A frozen measuring set-up. Every stored number carries its id. */
export interface Protocol extends Readonly<ProtocolSettings> {
  /** `rho-` and 16 hex digits of the SHA-256 of the settings' canonical JSON; the name is no part of it. */
  readonly id: string;
  /** Preset name, for people. */
  readonly name: string;
}
