import { z } from "zod";
import type { RecordPlace } from "../errors/index.ts";
import { TRAJECTORY_SCHEMA, type Step, type Trajectory } from "../schema/index.ts";
import { parseImportLine, type ImportLines } from "./import-line.ts";
import { createImportRun, type ImportLog, type ImportRun } from "./import-run.ts";
import { pubmedqaCandidates } from "./pubmedqa-candidates.ts";
import { randomFor, shuffled } from "./random-for.ts";
import { StateChain } from "./state-chain.ts";

export interface PubmedqaOptions {
  /** Positive control: the abstract's conclusion as last step, `read:LONG_ANSWER`. Default false. */
  longAnswer?: boolean;
  /** Negative control: another question's abstract as last steps, `read:FOREIGN`. Default false. */
  foreign?: boolean;
  /** Invariance control: own sections in random order. Default false. */
  shuffleSections?: boolean;
  /** Seeds the choice of foreign abstracts and the shuffle. Default 0. */
  seed?: number;
}

const pubmedqaRecord = z.looseObject({
  pmid: z.union([z.string(), z.number()], "must be text or a number").transform(String),
  QUESTION: z.string("must be text"),
  CONTEXTS: z.array(z.string("must be text"), "must be a list of sections").min(1, "must hold a section"),
  LABELS: z.array(z.string("must be text"), "must be a list of section names"),
  final_decision: z.enum(["yes", "no", "maybe"], "must be yes, no or maybe").optional(),
  LONG_ANSWER: z.string("must be text").optional(),
});

interface Question {
  place: RecordPlace;
  record: z.infer<typeof pubmedqaRecord>;
  sections: Section[];
}

interface Section {
  label: string;
  text: string;
}

/**
 * Expert-labelled questions of PubMedQA (Jin et al., EMNLP 2019), one question a trajectory and one
 * abstract section a step, in document order: the action's type is `read:` and the section's name.
 *
 * The target is the data set's final decision. Neither it nor the predictions of its annotators are
 * in a state, and the conclusion only where `longAnswer` asks for it. All questions are read before
 * the first trajectory comes.
 *
 * Warnings: `unnamed_section`, `no_conclusion`, `no_foreign_abstract`.
 *
 * @throws InvalidRecordError for a record without question or sections
 */
export function importPubmedqa(lines: ImportLines, options: PubmedqaOptions = {}): ImportRun {
  return createImportRun("pubmedqa", (log) => generate(lines, options, log));
}

async function* generate(
  lines: ImportLines,
  options: PubmedqaOptions,
  log: ImportLog,
): AsyncGenerator<Trajectory> {
  const questions: Question[] = [];
  for await (const line of lines) {
    log.read();
    const { place } = line;
    const record = parseImportLine(line, pubmedqaRecord);
    const sections = record.CONTEXTS.map((text, i): Section => {
      const label = record.LABELS[i]?.trim().toUpperCase() ?? "";
      if (label === "") log.warn("unnamed_section", `section ${i} has no name`, place);
      return { label: label === "" ? "SECTION" : label, text };
    });
    questions.push({ place, record, sections });
  }
  const { seed = 0 } = options;
  // One shift for all: every abstract is foreign to exactly one question, and never to its own.
  const shift = questions.length < 2 ? 0 : 1 + randomFor(seed, "foreign").below(questions.length - 1);
  for (const [i, question] of questions.entries()) {
    const other = shift === 0 ? undefined : questions[(i + shift) % questions.length];
    yield trajectoryOf(question, other, options, log);
  }
}

function trajectoryOf(
  { place, record, sections }: Question,
  other: Question | undefined,
  { longAnswer = false, foreign = false, shuffleSections = false, seed = 0 }: PubmedqaOptions,
  log: ImportLog,
): Trajectory {
  const trajectoryId = `pubmedqa/${record.pmid}`;
  const own = shuffleSections ? shuffled(sections, randomFor(seed, "sections", record.pmid)) : sections;
  const chain = new StateChain({ kind: "task", text: record.QUESTION });
  const steps = own.map(({ label, text }, i) => readStep(chain, i, `read:${label}`, label, text));
  if (longAnswer && record.LONG_ANSWER !== undefined) {
    steps.push(readStep(chain, steps.length, "read:LONG_ANSWER", "CONCLUSION", record.LONG_ANSWER));
  } else if (longAnswer) {
    log.warn("no_conclusion", "LONG_ANSWER is absent: the positive control has no step", place);
  }
  if (foreign && other !== undefined) {
    for (const { label, text } of other.sections) {
      steps.push(readStep(chain, steps.length, "read:FOREIGN", label, text));
    }
  } else if (foreign) {
    log.warn("no_foreign_abstract", "no other question to take an abstract from", place);
  }
  return {
    schemaVersion: TRAJECTORY_SCHEMA,
    trajectoryId,
    sourceAdapter: "pubmedqa",
    metadata: { controls: { longAnswer, foreign, shuffleSections, seed } },
    task: {
      taskId: trajectoryId,
      question: record.QUESTION,
      taskType: "closed_set_qa",
      domain: "biomedical",
      goldVisibleToEvaluator: false,
      goldUsedOnlyForValidation: true,
      candidateSpace: pubmedqaCandidates(record.QUESTION, record.final_decision),
    },
    steps,
    redaction: chain.redaction,
  };
}

function readStep(chain: StateChain, index: number, type: string, name: string, text: string): Step {
  return {
    stepId: `section-${index}`,
    index,
    action: { type },
    observation: {},
    ...chain.append({ kind: "evidence", name, text }),
    cost: {},
    qualityFlags: {},
  };
}
