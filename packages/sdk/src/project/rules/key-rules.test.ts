import { describe, expect, test } from "vitest";
import { keyRuleFinder } from "../key-rule-finder.ts";
import { answerKeys } from "./answer-keys.ts";
import { credentialKeys } from "./credential-keys.ts";
import { identifierKeys } from "./identifier-keys.ts";
import type { KeyRule } from "./key-rule.ts";
import { labelKeys } from "./label-keys.ts";
import { outcomeKeys } from "./outcome-keys.ts";
import { providerKeys } from "./provider-keys.ts";
import { timeKeys } from "./time-keys.ts";

/** Id of the rule of one family that decides about a field, if any does. */
function ruleFor(family: readonly KeyRule[], name: string, value: unknown = "x"): string | undefined {
  return keyRuleFinder(family)(name).find(({ when }) => when.value === undefined || when.value(value, name))
    ?.id;
}

const families: readonly (readonly [
  string,
  readonly KeyRule[],
  string,
  readonly string[],
  readonly string[],
])[] = [
  [
    "answer keys",
    answerKeys,
    "key-answer",
    [
      "gold",
      "gold_answer",
      "goldCandidateId",
      "gold-candidate-id",
      "GROUND_TRUTH",
      "reference_answers",
      "answer_key",
      "correctAnswer",
      "expected_output",
      "target_id",
      "gold_patch",
      "test_patch",
      "FAIL_TO_PASS",
      "PASS_TO_PASS",
      "reference_answer",
      "reference_answer_raw_annotation",
      "correct_option",
      "correctAnswerIndex",
      "answerKey",
      "canonical_solution",
      "Correct Answer",
      "Incorrect Answer 1",
      "Annotator Metadata",
      "pos_candidates",
      "private_test_cases",
    ],
    [
      "answer",
      "final_answer",
      "draft_answer",
      "target",
      "expected",
      "reference",
      "references",
      "golden_retriever",
      "marigold",
      "solution",
      "answer_keyboard",
      "patch",
      "model_patch",
      "patches",
      "test",
      "tests",
      "test_list",
      "passed",
      "failed",
      "output",
      "outputs",
      "best_answer",
      "incorrect",
      "option",
      "options",
      "canonical_url",
      "reference_text",
      "reference_id",
      "reference_code",
      "expected_result",
      "expected_response",
      "target_scores",
    ],
  ],
  [
    "final scores",
    outcomeKeys,
    "key-final-score",
    ["final_score", "finalScore", "FINAL-SCORE", "reward", "overall_score"],
    ["score", "scores", "similarity_score", "rerank_score", "finalist_score"],
  ],
  [
    "labels",
    labelKeys,
    "key-label",
    ["label", "Label", "label_source", "labelConfidence", "option_label", "label_mapping", "step_label"],
    ["labels", "labelled_data", "unlabeled", "axis_label_font"],
  ],
  [
    "provider responses",
    providerKeys,
    "key-provider",
    [
      "raw_response",
      "rawResponse",
      "provider_response",
      "response_metadata",
      "providerMetadata",
      "logprobs",
      "topLogprobs",
    ],
    ["response", "raw", "metadata", "responses", "api_response", "response_body", "provider"],
  ],
  [
    "identifiers",
    identifierKeys,
    "key-identifier",
    [
      "request_id",
      "requestId",
      "X-Request-Id",
      "trace_id",
      "spanId",
      "run_id",
      "parentRunId",
      "traceparent",
      "thread_id",
    ],
    ["id", "pmid", "doc_id", "tool_call_id", "step_id", "candidate_id", "prune_id", "stride"],
  ],
  [
    "timestamps",
    timeKeys,
    "key-timestamp",
    ["timestamp", "timeStamp", "ts", "started_at", "startTimeUnixNano"],
    [
      "date",
      "time",
      "year",
      "start_time",
      "end_time",
      "publication_date",
      "departed_at_gate",
      "tsv",
      "timestamped_notes",
    ],
  ],
  [
    "creation times",
    timeKeys,
    "key-created-at",
    ["created_at", "createdAt", "updated_at"],
    ["creator", "created_by", "create"],
  ],
  [
    "credentials",
    credentialKeys,
    "key-credential",
    [
      "password",
      "db_password",
      "PASSWORD",
      "apiKey",
      "api_key",
      "X-API-Key",
      "OPENAI_API_KEY",
      "openaiApiKey",
      "access_token",
      "refreshToken",
      "client_secret",
      "privateKey",
      "token",
      "secret",
      "authorization",
      "Proxy-Authorization",
      "cookie",
      "set-cookie",
      "GITHUB_TOKEN",
      "HF_TOKEN",
      "awsSecretAccessKey",
      "credentials",
      "connectionString",
      "PGPASSWORD",
      "client-key-data",
      "Passwort",
    ],
    [
      "total_tokens",
      "token_count",
      "max_tokens",
      "prompt_tokens",
      "tokens",
      "tokenizer",
      "next_page_token",
      "pad_token",
      "secretary",
      "secretion",
      "insulin_secretion",
      "password_reset_flow",
      "author",
      "authors",
      "authority",
      "key",
      "keys",
      "keywords",
      "primary_key",
      "monkey",
      "passage",
      "passed",
      "compass",
      "bearer_of",
      "cookiecutter",
    ],
  ],
];

describe.each(families)("%s", (_, family, id, fire, stay) => {
  test.each(fire)("%s fires", (name) => expect(ruleFor(family, name)).toBe(id));
  test.each(stay)("%s stays", (name) => expect(ruleFor(family, name)).toBeUndefined());
});

describe("rules that also look at the value", () => {
  test.each([true, false, 1, null, "yes", "PASS"])("success as a flag goes: %s", (value) => {
    expect(ruleFor(outcomeKeys, "success", value)).toBe("key-success");
  });
  test.each(["80% of the patients", ["a"], { rate: 0.8 }])("success as evidence stays: %s", (value) => {
    expect(ruleFor(outcomeKeys, "success", value)).toBeUndefined();
  });
  test("created goes as a number of seconds only", () => {
    expect(ruleFor(timeKeys, "created", 1_700_000_000)).toBe("key-created");
    expect(ruleFor(timeKeys, "created", "a new pathway")).toBeUndefined();
  });
  test.each([true, false, null, ""])("a credential field that holds none stays: %s", (value) => {
    expect(ruleFor([...credentialKeys], "password", value)).toBe(undefined);
  });
  test("a number is a password, but not a token", () => {
    expect(ruleFor(credentialKeys, "password", 123_456)).toBe("key-credential");
    expect(ruleFor(credentialKeys, "otp", 123_456)).toBe("key-credential");
    expect(ruleFor(credentialKeys, "token", 17)).toBeUndefined();
    expect(ruleFor(credentialKeys, "pin", 17)).toBeUndefined();
  });
  test("the working directory and a security's number are no credentials", () => {
    expect(ruleFor(credentialKeys, "PWD", "/home/bob/project")).toBeUndefined();
    expect(ruleFor(credentialKeys, "pwd", "hunter2")).toBe("key-credential");
    expect(ruleFor(credentialKeys, "bearer", "DE000A1EWWW0")).toBeUndefined();
    expect(ruleFor(credentialKeys, "password", "/home/bob/project")).toBe("key-credential");
  });
  test("auth as an object is looked into, as a text it goes", () => {
    expect(ruleFor(credentialKeys, "auth", { user: "x" })).toBeUndefined();
    expect(ruleFor(credentialKeys, "auth", "x")).toBe("key-credential");
  });
});
