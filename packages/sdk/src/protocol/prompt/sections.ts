import type { Block } from "../../schema/index.ts";
import { quoteLines, quoteName } from "./quote.ts";

/** A candidate as a prompt shows it. */
export interface PromptCandidate {
  id: string;
  text: string;
}

/** What both prompts show of a state. */
export interface PromptSubject {
  question: string;
  /** Blocks of the sliced state, in order. */
  blocks: readonly Block[];
  /** In frozen order. */
  candidates: readonly PromptCandidate[];
}

/** Question, state, candidate manifest: the part both prompts share, the growing state first. */
export function subjectSections({ question, blocks, candidates }: PromptSubject): string {
  return (
    `Question:\n${quoteLines(question)}\n` +
    `Agent state:\n${blocks.map(renderBlock).join("")}\n` +
    `Candidates:\n${candidates.map(renderCandidate).join("")}\n`
  );
}

function renderBlock({ kind, name, text }: Block): string {
  return `[${kind}${name === undefined ? "" : ` ${quoteName(name)}`}]\n${quoteLines(text)}`;
}

function renderCandidate({ id, text }: PromptCandidate): string {
  return `candidate_id: ${id}\n${quoteLines(text)}`;
}
