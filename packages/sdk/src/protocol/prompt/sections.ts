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
export function subjectSections(subject: PromptSubject): string {
  return `${renderState(subject)}Candidates:\n${subject.candidates.map(renderCandidate).join("")}\n`;
}

/** Question and state, for an evaluator that is given the candidates in a form of its own. */
export function renderState({ question, blocks }: Omit<PromptSubject, "candidates">): string {
  return `Question:\n${quoteLines(question)}\nAgent state:\n${blocks.map(renderBlock).join("")}\n`;
}

function renderBlock({ kind, name, text }: Block): string {
  return `[${kind}${name === undefined ? "" : ` ${quoteName(name)}`}]\n${quoteLines(text)}`;
}

function renderCandidate({ id, text }: PromptCandidate): string {
  return `candidate_id: ${id}\n${quoteLines(text)}`;
}
