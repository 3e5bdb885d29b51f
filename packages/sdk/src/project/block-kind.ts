import type { BlockKind } from "../schema/index.ts";
import { squashName } from "./field-name.ts";

/**
 * Which kind of block a top-level key of a state becomes. Names are compared without case and
 * separators; a name that is not here is `other`.
 *
 * | kind | names |
 * | --- | --- |
 * | task | what the run was asked |
 * | plan | what the agent means to do, and how far it got |
 * | message | conversation |
 * | tool_call | what the agent asked a tool |
 * | evidence | what came from outside: retrieval, tool results, observations, claims with their support |
 * | reasoning | what the agent thought |
 * | answer | what the agent answers, draft or final |
 * | audit | what the agent found when it checked itself |
 */
const NAMES: Readonly<Record<Exclude<BlockKind, "other">, string>> = {
  task: "task question query user_query user_question goal objective instruction instructions problem problem_statement prompt input user_input request user_request",
  plan: "plan plans planning step steps next_step next_steps completed_steps remaining_steps last_step todo todos subgoals sub_questions strategy outline",
  message: "message messages history chat_history conversation dialogue dialog transcript turns chat",
  tool_call:
    "tool_call tool_calls tool_input tool_args tool_arguments function_call function_calls action actions last_action command commands code search_query search_queries",
  evidence:
    "evidence evidences evidence_facts facts retrieval retrieval_id retrievals retrieved retrieved_documents retrieved_docs document documents docs context contexts passage passages snippet snippets abstract abstracts article articles citation citations source sources reference references supported_claims contradicted_claims conflicting_claims unsupported_claims claims observation observations last_observation tool_result tool_results tool_output tool_outputs search_result search_results results pubmed pmid pmids artifact artifacts available_artifacts page page_content web_page html dom file files table tables data",
  reasoning:
    "rationale rationales reasoning thought thoughts thinking scratchpad agent_scratchpad analysis chain_of_thought hypothesis hypotheses notes",
  answer:
    "answer answers draft drafts draft_answer final_answer current_answer proposed_answer candidate_answer response final_response output final_output conclusion conclusions prediction report solution",
  audit:
    "audit audits post_audit critique critiques validation verification review reviews check checks self_check feedback reflection reflections coverage_gaps limitations contradictions",
};

const KIND_OF = new Map<string, BlockKind>();
for (const [kind, names] of Object.entries(NAMES)) {
  for (const name of names.split(" ")) KIND_OF.set(squashName(name), kind as BlockKind);
}

/** Kind of the block that a top-level key of a state becomes. */
export function blockKindOf(name: string): BlockKind {
  return KIND_OF.get(squashName(name)) ?? "other";
}
