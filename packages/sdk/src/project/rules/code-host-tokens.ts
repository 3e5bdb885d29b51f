import { isWordChain, madeByMachine } from "./made-by-machine.ts";
import type { TextRule } from "./text-rule.ts";

/** Tokens of code hosts and package registries. */
export const codeHostTokens: readonly TextRule[] = [
  {
    id: "github-token",
    when: { token: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"] },
    do: /(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{16,255}/,
    check: (token) => madeByMachine(token, 20) || token.length >= 40,
  },
  {
    id: "gitlab-token",
    when: {
      token: [
        "glpat-",
        "gloas-",
        "gldt-",
        "glrt-",
        "glcbt-",
        "glptt-",
        "glft-",
        "glimt-",
        "glagent-",
        "glsoat-",
        "glffct-",
      ],
    },
    do: /gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-[A-Za-z0-9_.-]{16,320}/,
    check: (token) => !isWordChain(token),
  },
  {
    id: "registry-token",
    when: { token: ["npm_", "pypi-", "dckr_pat_", "rubygems_"] },
    do: /(?:npm_[A-Za-z0-9]{30,64}|pypi-[A-Za-z0-9_-]{32,512}|dckr_pat_[A-Za-z0-9_-]{20,64}|rubygems_[a-f0-9]{40,64})(?![A-Za-z0-9])/,
    check: (token) => madeByMachine(token, 20) && !isWordChain(token),
  },
];
