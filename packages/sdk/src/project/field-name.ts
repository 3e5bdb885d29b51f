/** Names longer than this are data, not field names; no rule looks at them. */
const LONGEST_NAME = 128;

/**
 * A field name without case and separators, so that `gold_candidate_id`, `gold-candidate-id` and
 * `goldCandidateId` are one name. Rules compare whole names in this form, never parts of them:
 * `total_tokens` is not `token`.
 */
export function squashName(name: string): string {
  if (name.length > LONGEST_NAME) return "";
  return name.replace(/[-_.\s:/]+/g, "").toLowerCase();
}

/** The words of a field name in lower case: `OPENAI_API_KEY` and `openaiApiKey` give openai, api, key. */
export function nameWords(name: string): string[] {
  if (name.length > LONGEST_NAME) return [];
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}
