export { renderRationalePrompt } from "./render-rationale-prompt.ts";
export { renderScoredPrompt, type ScoredPrompt, type ScoredPromptParts } from "./render-scored-prompt.ts";
export { renderState } from "./sections.ts";
export type { PromptCandidate, PromptSubject } from "./sections.ts";
