import { decodeBase64 } from "../bytes/base64.ts";
import { madeByMachine } from "./made-by-machine.ts";
import type { TextRule } from "./text-rule.ts";

/** "Basic understanding" is prose; what decodes to `user:password` in printable characters is not. */
function isUserAndPassword(encoded: string): boolean {
  const bytes = decodeBase64(encoded.slice(0, 256));
  return bytes.includes(58) && bytes.every((byte) => byte >= 32 && byte !== 127);
}

/**
 * Bearer and Basic credentials outside a header line; `Authorization: ...` is an assignment and
 * found there. "bearer of BRCA1" has no long token behind it.
 */
export const authHeaders: readonly TextRule[] = [
  {
    id: "bearer-token",
    when: { token: ["Bearer ", "bearer ", "BEARER "] },
    do: /(?:Bearer|bearer|BEARER) {1,2}(?<secret>[A-Za-z0-9._~+/=-]{16,4096})/,
    check: (token) => madeByMachine(token, 16) || /^[A-Za-z]{32,}$/.test(token),
  },
  {
    id: "basic-credentials",
    when: { text: ["Basic "] },
    do: /Basic {1,2}(?<secret>[A-Za-z0-9+/]{8,512}={0,2})(?![A-Za-z0-9+/=])/,
    check: isUserAndPassword,
  },
];
