import type { TextRule } from "./text-rule.ts";

/** JSON Web Tokens: header and payload, with or without signature, and the five parts of an encrypted one. */
export const signedTokens: readonly TextRule[] = [
  {
    id: "jwt",
    when: { token: ["eyJ"] },
    do: /eyJ[A-Za-z0-9_-]{10,4096}\.[A-Za-z0-9_-]{0,16384}(?:\.[A-Za-z0-9_-]{0,16384}){0,3}/,
    // The second part of a signed token is an object too; of an encrypted one it may be empty.
    check: (token) => /^[^.]+\.(?:eyJ[^.]+|[^.]*\.[^.]+\.[^.]+\.[^.]+)/.test(token),
  },
];
