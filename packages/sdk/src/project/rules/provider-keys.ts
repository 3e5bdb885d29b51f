import type { KeyRule } from "./key-rule.ts";

/** Raw provider responses: transport and model internals, not what the agent knew. */
export const providerKeys: readonly KeyRule[] = [
  {
    id: "key-provider",
    when: {
      name: (
        "raw_response raw_responses provider_response provider_responses raw_provider_response raw_provider_responses " +
        "llm_response raw_llm_response raw_model_response raw_completion raw_api_response response_metadata " +
        "provider_metadata experimental_provider_metadata provider_options response_headers request_headers raw_request " +
        "logprobs log_probs top_logprobs prompt_logprobs system_fingerprint llm_output"
      ).split(" "),
    },
    do: "remove",
  },
];
