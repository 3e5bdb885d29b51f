export {
  defineProtocol,
  protocolFromRecord,
  protocolRecord,
  protocolSettings,
  type ProtocolDefinition,
} from "./define-protocol.ts";
export { diffProtocols, type ProtocolDifference } from "./diff-protocols.ts";
export { parseProtocolName, PROTOCOL_NAMES, protocols, type ProtocolPreset } from "./presets.ts";
export {
  renderRationalePrompt,
  renderScoredPrompt,
  renderState,
  type PromptCandidate,
  type PromptSubject,
  type ScoredPrompt,
  type ScoredPromptParts,
} from "./prompt/index.ts";
export { extractBuffer } from "./buffer/extract-buffer.ts";
export { checkRationale, type RationaleCheck, type RationaleToCheck } from "./rationale/index.ts";
export type {
  BufferPolicy,
  EvaluatorSettings,
  MappingDesign,
  Normalisation,
  Protocol,
  ProtocolSettings,
  Slice,
} from "./protocol.ts";
