import { describe, expect, test } from "vitest";
import { findSecrets } from "../find-secrets.ts";
import { ruleEngine } from "../rule-engine.ts";
import { cloudTokens } from "./cloud-tokens.ts";
import { codeHostTokens } from "./code-host-tokens.ts";
import { encodedJson } from "./encoded-json.ts";
import { furtherTokens } from "./further-tokens.ts";
import { modelProviderTokens } from "./model-provider-tokens.ts";
import { privateKeys } from "./private-keys.ts";
import { serviceTokens } from "./service-tokens.ts";
import { signedTokens } from "./signed-tokens.ts";
import type { TextRule } from "./text-rule.ts";

/** What one family finds in a text, as `rule: text`. */
function found(family: readonly TextRule[], text: string): string[] {
  return findSecrets(text, ruleEngine(family)).map(
    ({ id, start, end }) => `${id}: ${text.slice(start, end)}`,
  );
}

// Assembled here, so that no scanner takes this file for a leak.
const A36 = "abcdefghijklmnopqrstuvwxyz0123456789";
const HEX32 = "0123456789abcdef".repeat(2);
const MIX = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1";

const families: readonly (readonly [
  string,
  readonly TextRule[],
  readonly (readonly [string, string])[],
  readonly string[],
])[] = [
  [
    "cloud",
    cloudTokens,
    [
      ["aws-access-key", "AKIAIOSFODNN7EXAMPLE"],
      ["aws-access-key", `ASIA${"Y34FZKBOKMUTVV7A"}`],
      ["google-key", `AIza${"SyA1234567890abcdefghijklmnopqrstuv"}`],
      ["google-key", `GOCSPX-${MIX.slice(0, 28)}`],
      ["google-key", `ya29.${MIX}`],
      ["azure-key", `xyz8Q~${MIX}abcd`],
      ["cloud-key", `dop_v1_${HEX32}`],
    ],
    [
      "AKIA",
      "AKIA is a prefix",
      "ASIAPACIFICREGIONCODE",
      "Aizawa Toshihiko",
      "the ya29 form",
      "xAKIAIOSFODNN7EXAMPLE",
      "a ~ b",
    ],
  ],
  [
    "encoded JSON",
    encodedJson,
    [
      ["encoded-json", btoa('{"password":"x"}')],
      ["encoded-json", btoa('{ "cookie": 1 }')],
      ["encoded-json", btoa('[{"authorization":"a"}]')],
      ["encoded-json", btoa('["one","two","three"]').replaceAll("=", "")],
    ],
    [
      "eyJ",
      "eyJoZWxsbyB3b3JsZCBhbmQgbW9yZQ",
      "WyJhIGxvbmcgdGV4dCB3aXRob3V0IGVuZA",
      `${btoa('{"cut":"in the middle of')}`,
    ],
  ],
  [
    "code hosts",
    codeHostTokens,
    [
      ["github-token", `ghp_${A36}`],
      ["github-token", `github_pat_${A36}`],
      ["gitlab-token", `glpat-${MIX.slice(0, 20)}`],
      ["registry-token", `npm_${A36}`],
      ["registry-token", `pypi-${MIX}${MIX}`],
    ],
    [
      "ghp_",
      "npm_config_registry_url_and_more",
      "npm_run_build_and_test_everything_now",
      "glpat-some-words-in-a-chain-2024",
      "pypi-is-the-python-package-index-of-python",
    ],
  ],
  [
    "model providers",
    modelProviderTokens,
    [
      ["sk-key", `sk-${MIX}`],
      ["sk-key", `sk-proj-${MIX}_${MIX}-x`],
      ["sk-key", `sk-ant-api03-${MIX}-${MIX}`],
      ["huggingface-token", `hf_${MIX}aaaa`],
      ["model-service-key", `gsk_${MIX}${MIX}`],
    ],
    [
      "sk-learn and scikit-learn-extra-models",
      "risk-adjusted-mortality-rate-2024",
      "task-oriented-dialogue-systems",
      "sk-fading-circle-container-item",
      "hf_transformers_library_of_models",
      "r8_is_short",
    ],
  ],
  [
    "services",
    serviceTokens,
    [
      ["slack-token", `xoxb-123456789012-${MIX}`],
      ["stripe-key", `sk_live_${MIX}`],
      ["stripe-key", `rk_test_${MIX}`],
      ["sendgrid-key", `SG.${MIX.slice(0, 22)}.${A36}ABCDEFG`],
      ["twilio-key", `SK${HEX32}`],
      ["service-key", `shpat_${HEX32}`],
      ["service-key", `key-${HEX32}`],
    ],
    [
      "SG. is Singapore",
      "xoxb-",
      "whsec_",
      "key-performance-indicators-of-2024",
      "MSG.abcdefghijklmnopqrstuv",
      "SKATEBOARDINGCHAMPIONSHIPS",
      "NM_000546 and NP_000537",
    ],
  ],
  [
    "further services",
    furtherTokens,
    [
      ["hosting-token", `pcsk_${MIX}_${MIX}`],
      ["hosting-token", `nfp_${A36}`],
      ["hosting-token", `ATBB${MIX}`],
      ["hosting-token", `Fm2_${MIX}${MIX}`],
      ["notion-token", `secret_${A36}ABCDEFG`],
      ["airtable-token", `pat${MIX.slice(0, 14)}.${HEX32}${HEX32}`],
      ["doppler-token", `dp.pt.${MIX}${MIX.slice(0, 13)}`],
      ["doppler-token", `dp.sa.${MIX}${MIX.slice(0, 13)}`],
      ["terraform-token", `${MIX.slice(0, 14)}.atlasv1.${MIX}${MIX}`],
      ["discord-token", `MTIz${MIX.slice(0, 20)}.GaBcDe.${MIX}`],
      ["mailchimp-key", `${HEX32}-us14`],
    ],
    [
      "secret_sharing_schemes_for_the_working_group",
      "patients.0123456789",
      "patternsandpractices.0123456789abcdef",
      "dp.pt.short",
      "the atlasv1. release of the measurement data",
      "Non-Hodgkin-lymphomas-in-adults.review.of-evidence",
      "the non-us market; abc-us14",
      "ATBB is a code",
    ],
  ],
  [
    "signed tokens",
    signedTokens,
    [
      ["jwt", `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${MIX}`],
      ["jwt", "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0In0."],
      ["jwt", `eyJhbGciOiJIUzI1NiJ9..${MIX}.${MIX}.${MIX}`],
    ],
    [
      "eyJ",
      "eyJhbGciOiJIUzI1NiJ9",
      "eyJhbGciOiJIUzI1NiJ9.and more prose",
      "heyJudeDontMakeItBad.eyJtakeASadSong",
    ],
  ],
];

describe.each(families)("%s", (_, family, fire, stay) => {
  test.each(fire)("%s: finds exactly the token", (id, token) => {
    expect(found(family, token)).toEqual([`${id}: ${token}`]);
    expect(found(family, `use "${token}", please`)).toEqual([`${id}: ${token}`]);
  });
  test.each(fire)("%s: also after an escape that was not decoded", (id, token) => {
    expect(found(family, `first\\n${token} last`)).toEqual([`${id}: ${token}`]);
    expect(found(family, `a%20${token} b`)).toEqual([`${id}: ${token}`]);
  });
  test.each(stay)("leaves %s", (text) => expect(found(family, text)).toEqual([]));
});

test("a bot token is known by the number before it", () => {
  const token = `AA${MIX}aaa`;
  expect(found(serviceTokens, `bot123456789:${token}`)).toEqual([`telegram-token: ${token}`]);
  expect(found(serviceTokens, `ratio 1:${token}`)).toEqual([]);
});

test("Azure storage keys and signatures go by their field", () => {
  const key = "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4==";
  expect(found(cloudTokens, `AccountName=x;AccountKey=${key};`)).toEqual([`azure-key: ${key}`]);
  expect(found(cloudTokens, `?sv=2020&sig=${MIX}%3D&se=1`)).toEqual([`azure-key: ${MIX}%3D`]);
  expect(found(cloudTokens, "monkey=abcdefghijklmnopqrstuvwxyz")).toEqual([]);
});

describe("private keys", () => {
  const open = "-----BEGIN RSA PRIVATE KEY-----";
  const close = "-----END RSA PRIVATE KEY-----";

  test("go from the opening to the closing line", () => {
    const block = `${open}\nMIIE\nowIB\n${close}`;
    expect(found(privateKeys, `a\n${block}\nb`)).toEqual([`private-key: ${block}`]);
  });
  test("go as far as they look like one when cut off", () => {
    expect(found(privateKeys, `${open}\\nMIIEowIB`)).toEqual([`private-key: ${open}\\nMIIEowIB`]);
    expect(found(privateKeys, `${open}\nMIIE"} then`)).toEqual([`private-key: ${open}\nMIIE`]);
  });
  test("end at the next opening line when the closing one is missing", () => {
    expect(found(privateKeys, `${open}\nAAAA\n${open}\nBBBB\n${close}`)).toEqual([
      `private-key: ${open}\nAAAA\n`,
      `private-key: ${open}\nBBBB\n${close}`,
    ]);
  });
  test.each([
    "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----",
    "-----",
    "-----BEGIN ",
  ])("leave %s", (text) => expect(found(privateKeys, text)).toEqual([]));
});
