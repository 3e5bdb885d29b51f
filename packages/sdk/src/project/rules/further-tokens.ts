import { madeByMachine } from "./made-by-machine.ts";
import type { TextRule, TextSpan } from "./text-rule.ts";

const TERRAFORM_HEAD = /[A-Za-z0-9]{14}\.$/;
const TERRAFORM_BODY = /atlasv1\.[A-Za-z0-9_=-]{40,128}/y;
const MAILCHIMP = /-us\d{1,2}(?![A-Za-z0-9])/y;
const MAILCHIMP_HEAD = /[0-9a-f]{32}$/;

/** Known by its middle: 14 characters, `.atlasv1.`, 60 characters and more. */
function findTerraformToken(text: string, at: number): TextSpan | undefined {
  if (!TERRAFORM_HEAD.test(text.slice(Math.max(0, at - 15), at))) return undefined;
  TERRAFORM_BODY.lastIndex = at;
  const body = TERRAFORM_BODY.exec(text);
  return body === null ? undefined : { start: at - 15, end: at + body[0].length };
}

/** Known by its end, the data centre: 32 hexadecimal digits and `-us14`. */
function findMailchimpKey(text: string, at: number): TextSpan | undefined {
  MAILCHIMP.lastIndex = at;
  const end = MAILCHIMP.exec(text);
  if (end === null || !MAILCHIMP_HEAD.test(text.slice(Math.max(0, at - 32), at))) return undefined;
  return { start: at - 32, end: at + end[0].length };
}

/** Tokens of data, hosting and chat services. */
export const furtherTokens: readonly TextRule[] = [
  {
    id: "hosting-token",
    when: { token: ["pcsk_", "nfp_", "ATBB", "ATCTT3", "fm1_", "fm2_", "Fm1_", "Fm2_"] },
    do: /(?:pcsk_|nfp_|ATBB|ATCTT3|[fF]m[12]_)[A-Za-z0-9_=+/-]{24,1024}/,
    check: (token) => madeByMachine(token, 28),
  },
  {
    id: "notion-token",
    when: { token: ["secret_"] },
    do: /secret_[A-Za-z0-9]{43}(?![A-Za-z0-9_])/,
    check: (token) => madeByMachine(token, 50),
  },
  {
    id: "airtable-token",
    when: { token: ["pat"] },
    do: /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![A-Za-z0-9])/,
  },
  {
    id: "doppler-token",
    when: { token: ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa."] },
    do: /dp\.(?:[psc]t|sa)\.[A-Za-z0-9]{32,64}(?![A-Za-z0-9])/,
  },
  { id: "terraform-token", when: { token: ["atlasv1."] }, do: findTerraformToken },
  {
    id: "discord-token",
    // A user's number in base64: its first digits give these beginnings.
    when: { token: ["MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"] },
    do: /[MNO][DTjz][A-Za-z0-9_-]{22,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])/,
  },
  { id: "mailchimp-key", when: { text: ["-us"] }, do: findMailchimpKey },
];
