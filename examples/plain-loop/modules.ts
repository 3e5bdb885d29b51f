import { corpus, type Document } from "./corpus.ts";

/** Everything the agent knows at one moment. */
export interface State {
  readonly question: string;
  readonly queries: readonly string[];
  readonly evidence: readonly Document[];
  readonly answer?: string;
}

/** A stateless module: reads a state and says what changes in it. It knows nothing of capture. */
export interface Module {
  readonly name: string;
  run(state: State): Promise<Partial<State>>;
}

const plan: Module = {
  name: "plan",
  run: ({ question }) => Promise.resolve({ queries: [question, `${question} timetable`] }),
};

const retrieve: Module = {
  name: "retrieve",
  run({ queries, evidence }) {
    const next = corpus
      .filter((document) => !evidence.includes(document))
      .map((document) => ({
        document,
        overlap: overlap(queries.join(" "), `${document.title} ${document.text}`),
      }));
    next.sort((a, b) => b.overlap - a.overlap);
    return Promise.resolve({ evidence: [...evidence, ...next.slice(0, 1).map(({ document }) => document)] });
  },
};

const answer: Module = {
  name: "answer",
  run({ question, evidence }) {
    const sentences = evidence.flatMap(({ text }) => text.split(/(?<=\.) /));
    sentences.sort((a, b) => overlap(question, b) - overlap(question, a));
    return Promise.resolve({ answer: sentences[0] ?? "I do not know." });
  },
};

/** The graph: which module a state calls for, or none when the run is done. */
export function nextModule(state: State): Module | undefined {
  if (state.queries.length === 0) return plan;
  if (state.evidence.length < 2) return retrieve;
  return state.answer === undefined ? answer : undefined;
}

function overlap(a: string, b: string): number {
  const words = new Set(b.toLowerCase().match(/\w{3,}/g));
  return (a.toLowerCase().match(/\w{3,}/g) ?? []).filter((word) => words.has(word)).length;
}
