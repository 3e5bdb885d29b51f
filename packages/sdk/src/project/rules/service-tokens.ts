import { isWordChain, madeByMachine } from "./made-by-machine.ts";
import type { TextRule } from "./text-rule.ts";

/** Tokens of payment, messaging, mail and office services. */
export const serviceTokens: readonly TextRule[] = [
  {
    id: "slack-token",
    when: {
      token: ["xoxb-", "xoxp-", "xoxa-", "xoxo-", "xoxr-", "xoxs-", "xoxe-", "xoxe.", "xapp-", "xwfp-"],
    },
    do: /(?:xox[abopres][-.]|xapp-|xwfp-)[A-Za-z0-9.-]{10,512}/,
    check: (token) => madeByMachine(token, 15),
  },
  {
    id: "stripe-key",
    when: { token: ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_org_", "whsec_"] },
    do: /(?:[sr]k_(?:live|test|org)_|whsec_)[A-Za-z0-9_+/=]{10,256}/,
    check: (key) => !isWordChain(key),
  },
  {
    id: "sendgrid-key",
    when: { token: ["SG."] },
    do: /SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}(?![A-Za-z0-9_-])/,
  },
  {
    id: "twilio-key",
    when: { token: ["SK", "AC"] },
    do: /(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])/,
  },
  {
    id: "telegram-token",
    when: { text: [":AA"] },
    do: /(?<=(?<![A-Za-z0-9])(?:bot)?\d{8,10}):(?<secret>AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])/,
  },
  {
    id: "service-key",
    when: {
      token: [
        "shpat_",
        "shpss_",
        "shpca_",
        "shppa_",
        "figd_",
        "lin_api_",
        "ntn_",
        "glsa_",
        "glc_",
        "sntrys_",
        "sntryu_",
        "PMAK-",
        "sq0atp-",
        "sq0csp-",
        "NRAK-",
        "ATATT3x",
        "dapi",
        "key-",
        "AGE-SECRET-KEY-1",
        "EAACEdEose0cBA",
      ],
    },
    do: /(?:shp(?:at|ss|ca|pa)_|figd_|lin_api_|ntn_|glsa_|glc_|sntry[su]_|PMAK-|sq0(?:atp|csp)-|NRAK-|ATATT3x|dapi(?=[0-9a-f]{32})|key-(?=[0-9a-f]{32}(?![A-Za-z0-9]))|AGE-SECRET-KEY-1|EAACEdEose0cBA)[A-Za-z0-9_=-]{16,512}/,
    check: (key) => madeByMachine(key, 20) && !isWordChain(key),
  },
];
