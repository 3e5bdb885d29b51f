import {
  createRedactionSession,
  projectState,
  resolvePolicy,
  stateBlocks,
  type Block,
  type JsonObject,
  type State,
} from "@agent-step-value/sdk";

/** Characters of one state that are compared and excerpted. */
const MOST_CHARS = 200_000;

let policy: ReturnType<typeof resolvePolicy> | undefined;

/** States of one run as a report may show them. */
export interface ShownStates {
  blocks(state: State): readonly Block[];
  /** A short text that belongs to the run: its question, a candidate. */
  text(text: string): string;
  /** Fields of a record that belongs to the run, as one line; undefined when nothing is left. */
  fields(record: JsonObject): string | undefined;
}

/**
 * The redaction rules once more, in one session a run. A report is a file that people pass on, and a file
 * from another program may hold a key or a password that no projection has seen.
 */
export function shownStates(): ShownStates {
  policy ??= resolvePolicy({ maxChars: MOST_CHARS });
  const rules = policy;
  const session = createRedactionSession();
  const known = new WeakMap<State, readonly Block[]>();
  const project = (state: JsonObject): Block[] =>
    stateBlocks(projectState(state, rules, session).state as State);
  return {
    blocks: (state) => {
      let blocks = known.get(state);
      if (blocks === undefined) known.set(state, (blocks = project(state)));
      return blocks;
    },
    text: (text) => project({ blocks: [{ kind: "task", text }] })[0]?.text ?? "",
    fields: (record) => {
      const parts = project(record).map(({ name, text }) => (name === undefined ? text : `${name}: ${text}`));
      return parts.length === 0 ? undefined : parts.join("; ");
    },
  };
}
