import { isWordChain, madeByMachine } from "./made-by-machine.ts";
import type { TextRule } from "./text-rule.ts";

/** Keys of model providers and the services agents call. */
export const modelProviderTokens: readonly TextRule[] = [
  {
    // OpenAI, Anthropic (sk-ant-), OpenRouter (sk-or-), DeepSeek, Langfuse (sk-lf-) and others.
    id: "sk-key",
    when: { token: ["sk-"] },
    do: /sk-[A-Za-z0-9_-]{16,512}/,
    check: (key) => !isWordChain(key),
  },
  {
    id: "huggingface-token",
    when: { token: ["hf_", "api_org_"] },
    do: /(?:hf|api_org)_[A-Za-z0-9]{24,128}(?![A-Za-z0-9_])/,
    check: (key) => madeByMachine(key, 24) && !isWordChain(key),
  },
  {
    id: "model-service-key",
    when: {
      token: [
        "gsk_",
        "xai-",
        "r8_",
        "pplx-",
        "nvapi-",
        "tvly-",
        "lsv2_pt_",
        "lsv2_sk_",
        "fw_",
        "jina_",
        "tgp_v1_",
        "csk-",
        "fc-",
      ],
    },
    do: /(?:gsk_|xai-|r8_|pplx-|nvapi-|tvly-|lsv2_[ps][tk]_|fw_|jina_|tgp_v1_|csk-|fc-)[A-Za-z0-9_-]{20,256}/,
    check: (key) => madeByMachine(key, 24) && !isWordChain(key),
  },
];
