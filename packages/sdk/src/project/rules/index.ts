import { answerKeys } from "./answer-keys.ts";
import { assignments } from "./assignments.ts";
import { authHeaders } from "./auth-headers.ts";
import { cloudTokens } from "./cloud-tokens.ts";
import { codeHostTokens } from "./code-host-tokens.ts";
import { commandFlags } from "./command-flags.ts";
import { credentialKeys } from "./credential-keys.ts";
import { encodedJson } from "./encoded-json.ts";
import { furtherTokens } from "./further-tokens.ts";
import { identifierKeys } from "./identifier-keys.ts";
import type { KeyRule } from "./key-rule.ts";
import { labelKeys } from "./label-keys.ts";
import { modelProviderTokens } from "./model-provider-tokens.ts";
import { namedPairs } from "./named-pairs.ts";
import { outcomeKeys } from "./outcome-keys.ts";
import { privateKeys } from "./private-keys.ts";
import { providerKeys } from "./provider-keys.ts";
import { serviceTokens } from "./service-tokens.ts";
import { signedTokens } from "./signed-tokens.ts";
import { spokenPasswords } from "./spoken-passwords.ts";
import type { TextRule } from "./text-rule.ts";
import { timeKeys } from "./time-keys.ts";
import { urlSecrets } from "./url-secrets.ts";

export { personalData } from "./personal-data.ts";
export type { KeyRule } from "./key-rule.ts";
export type { Detector, SpanFinder, TextRule, TextSpan, TextTrigger } from "./text-rule.ts";

/** Key rules of every projection; the first whose name and value fit decides. */
export const KEY_RULES: readonly KeyRule[] = [
  ...answerKeys,
  ...outcomeKeys,
  ...labelKeys,
  ...providerKeys,
  ...identifierKeys,
  ...timeKeys,
  ...credentialKeys,
];

/** Text rules of every projection, the most specific first: it names a secret that several find. */
export const TEXT_RULES: readonly TextRule[] = [
  ...privateKeys,
  ...signedTokens,
  ...encodedJson,
  ...cloudTokens,
  ...codeHostTokens,
  ...modelProviderTokens,
  ...serviceTokens,
  ...furtherTokens,
  ...urlSecrets,
  ...authHeaders,
  ...commandFlags,
  ...assignments,
  ...namedPairs,
  ...spokenPasswords,
];
