import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { sources, type Source } from "./sources.ts";

/** A subgraph gives back its channels whole, so a list takes in only what it does not hold. */
const lists = {
  reducer: (held: string[], more: string[]) => [...new Set([...held, ...more])],
  default: (): string[] => [],
};

/** What the workflow knows. Channel names tell capture what a block is: plan, evidence, audit, answer. */
const State = Annotation.Root({
  question: Annotation<string>(),
  plan: Annotation<string>(),
  evidence: Annotation<string[]>(lists),
  audit: Annotation<string[]>(lists),
  answer: Annotation<string>(),
});

type Known = typeof State.State;

function words(text: string): string[] {
  return text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
}

function closest(question: string, kind: Source["kind"], most: number): string[] {
  const asked = new Set(words(question));
  return sources
    .filter((source) => source.kind === kind)
    .map(({ text }) => ({ text, score: words(text).filter((word) => asked.has(word)).length }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ text }) => text);
}

/** The subgraph: looks for reports that contradict each other, then says which one the wardens saw. */
function verification() {
  return new StateGraph(State)
    .addNode("contradictions", (state: Known) => {
      const claims = state.evidence.filter((text) => text.includes("spillway"));
      return {
        audit:
          claims.length < 2 ? ["No contradiction."] : [`${claims.length} sources speak of the spillway.`],
      };
    })
    .addNode("eyewitness", (state: Known) => {
      const seen = state.evidence.find((text) => text.includes("found it"));
      return { audit: [seen === undefined ? "Nobody looked." : `Somebody looked: ${seen}`] };
    })
    .addEdge(START, "contradictions")
    .addEdge("contradictions", "eyewitness")
    .addEdge("eyewitness", END)
    .compile();
}

/** Plan, two searches at one time, a subgraph that verifies, an answer. */
export function waterWorkflow() {
  return new StateGraph(State)
    .addNode("make_plan", (state: Known) => ({ plan: `Compare readings and reports: ${state.question}` }))
    .addNode("readings", (state: Known) => ({ evidence: closest(state.question, "reading", 2) }))
    .addNode("reports", (state: Known) => ({ evidence: closest(state.question, "report", 3) }))
    .addNode("verify", verification())
    .addNode("conclude", (state: Known) => ({
      answer: state.audit.some((note) => note.includes("dry"))
        ? "The spillway stayed dry."
        : "The sources do not tell.",
    }))
    .addEdge(START, "make_plan")
    .addEdge("make_plan", "readings")
    .addEdge("make_plan", "reports")
    .addEdge(["readings", "reports"], "verify")
    .addEdge("verify", "conclude")
    .addEdge("conclude", END)
    .compile();
}
