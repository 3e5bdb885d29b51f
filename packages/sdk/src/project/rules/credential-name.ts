import { nameWords, squashName } from "../field-name.ts";

/**
 * How sure a field name is to hold a credential.
 *
 * - `password`: chosen by a person, so any value may be one (`password`, `db_passwd`)
 * - `machine`: made by a machine, so it looks like it (`api_key`, `GITHUB_TOKEN`, `client_secret`)
 * - `ambiguous`: also an everyday word (`token`, `secret`, `authorization`); believed as a key, but
 *   in running text only before something that looks made by a machine
 * - `weak`: often harmless (`key`, `signature`); believed only before something highly random
 */
export type CredentialKind = "password" | "machine" | "ambiguous" | "weak";

const split = (names: string) => names.split(" ");

const PASSWORD = split("password passwd passphrase passcode pwd passwort kennwort contrasena");
/** Services whose password's name is written as one word: `PGPASSWORD`. */
const JOINED =
  /^(?:pg|db|sql|mysql|mongo|redis|root|admin|user|login|smtp|imap|ftp|ssh|sudo|vnc|mail|email|wifi|wlan|ldap|proxy|keystore|truststore|rds)(?:password|passwd|passwort|pwd)$/;
const MACHINE_ENDINGS = split(
  "api_key apikey secret_key secretkey access_key accesskey access_key_id private_key privatekey signing_key encryption_key account_key " +
    "master_key subscription_key service_key deploy_key license_key ssh_key hmac_key storage_key auth_key " +
    "access_token auth_token refresh_token bearer_token session_token security_token id_token api_token bot_token app_token oauth_token " +
    "csrf_token xsrf_token personal_token deploy_token service_token user_token sas_token jwt_token secret_token verification_token " +
    "client_secret app_secret api_secret webhook_secret shared_secret consumer_secret signing_secret jwt_secret session_secret token_secret " +
    "cookie_secret oauth_secret auth_secret connection_string password_hash service_account_key webhook_url client_key_data",
);
const OWNERS = new Set(
  split(
    "openai anthropic github gitlab slack stripe google gcp aws azure hf huggingface hub npm pypi twilio sendgrid telegram discord vault " +
      "heroku datadog sentry pinecone cohere mistral groq langchain langsmith langfuse tavily serper serpapi exa wandb replicate jira " +
      "notion figma linear shopify digitalocean cloudflare supabase firebase mapbox deepseek gemini together fireworks openrouter pat",
  ),
);
const AMBIGUOUS = new Set(
  split(
    "token secret secrets auth authorization proxyauthorization bearer credential credentials creds cookie cookies setcookie jwt otp pin " +
      "mfacode totp accesscode securitycode cvv xapikey xauthtoken",
  ),
);
const WEAK = new Set(split("key sig signature pass nonce sessionid sid"));

const WHOLE = new Map<string, CredentialKind>();
for (const name of PASSWORD) WHOLE.set(name, "password");
for (const name of MACHINE_ENDINGS) WHOLE.set(squashName(name), "machine");

const ENDINGS = new Set(MACHINE_ENDINGS.map((name) => name.split("_").join(" ")));

function kindOf(name: string): CredentialKind | undefined {
  const squashed = squashName(name);
  const whole = WHOLE.get(squashed);
  if (whole !== undefined) return whole;
  if (AMBIGUOUS.has(squashed)) return "ambiguous";
  if (WEAK.has(squashed)) return "weak";
  if (JOINED.test(squashed)) return "password";
  const words = nameWords(name);
  const last = words.at(-1);
  if (words.length < 2 || last === undefined) return undefined;
  if (PASSWORD.includes(last)) return "password";
  if (ENDINGS.has(words.slice(-2).join(" ")) || ENDINGS.has(words.slice(-3).join(" "))) return "machine";
  if (ENDINGS.has(last)) return "machine";
  const owned = last === "token" || last === "secret" || last === "key" || last === "pat";
  return owned && words.slice(0, -1).some((word) => OWNERS.has(word)) ? "machine" : undefined;
}

const MOST_KNOWN = 4096;
const known = new Map<string, CredentialKind | undefined>();

/** What kind of credential a field of this name holds, if any. Whole words only: `total_tokens` is none. */
export function credentialKind(name: string): CredentialKind | undefined {
  const kind = known.get(name);
  if (kind !== undefined || known.has(name)) return kind;
  if (known.size >= MOST_KNOWN) known.clear();
  const found = kindOf(name);
  known.set(name, found);
  return found;
}
