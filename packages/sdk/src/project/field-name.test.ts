import { expect, test } from "vitest";
import { nameWords, squashName } from "./field-name.ts";
import { credentialKind } from "./rules/credential-name.ts";

test.each([
  ["gold_candidate_id", "goldcandidateid"],
  ["gold-candidate-id", "goldcandidateid"],
  ["goldCandidateId", "goldcandidateid"],
  ["GOLD CANDIDATE.ID", "goldcandidateid"],
  ["x".repeat(129), ""],
])("squashName(%s)", (name, squashed) => expect(squashName(name)).toBe(squashed));

test.each([
  ["OPENAI_API_KEY", ["openai", "api", "key"]],
  ["openaiApiKey", ["openai", "api", "key"]],
  ["X-API-Key", ["x", "api", "key"]],
  ["APIKey", ["api", "key"]],
  ["", []],
])("nameWords(%s)", (name, words) => expect(nameWords(name)).toEqual(words));

test.each([
  ["db_passwd", "password"],
  ["STRIPE_KEY", "machine"],
  ["client_secret", "machine"],
  ["token", "ambiguous"],
  ["key", "weak"],
  ["token_count", undefined],
  ["answer_key", undefined],
  ["invalid_token", undefined],
])("credentialKind(%s) is %s, also when asked again", (name, kind) => {
  expect(credentialKind(name)).toBe(kind);
  expect(credentialKind(name)).toBe(kind);
});
