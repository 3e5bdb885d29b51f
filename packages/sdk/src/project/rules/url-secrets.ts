import type { TextRule, TextSpan } from "./text-rule.ts";

/** Longest `user:password@` looked through. */
const LONGEST = 640;
const WEBHOOK =
  /:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)|(?:[a-z]{2,8}\.)?discord(?:app)?\.com\/api\/webhooks)\/(?<secret>[A-Za-z0-9/_@-]{8,512})/dy;

/** Ends a URL's authority: blank, `/`, `?`, `#`, quotes, angle brackets. */
function endsAuthority(code: number): boolean {
  return (
    code <= 32 ||
    code === 47 ||
    code === 63 ||
    code === 35 ||
    code === 34 ||
    code === 39 ||
    code === 60 ||
    code === 62
  );
}

/**
 * The password in `://user:password@host`: from the first `:` to the last `@` before the path, since
 * people forget to encode an `@` of their password.
 */
function findUrlPassword(text: string, at: number): TextSpan | undefined {
  const limit = Math.min(text.length, at + LONGEST);
  let colon = 0;
  let sign = 0;
  for (let i = at + 3; i < limit; i += 1) {
    const code = text.charCodeAt(i);
    if (endsAuthority(code)) break;
    if (code === 58 && colon === 0) colon = i;
    else if (code === 64) sign = i;
  }
  return colon > 0 && sign > colon + 1 ? { start: colon + 1, end: sign } : undefined;
}

/** The key a client reports with stands before the host: `://32 hexadecimal digits@host` (a Sentry DSN). */
const USER_KEY = /:\/\/(?<secret>[0-9a-f]{32})@[A-Za-z0-9]/dy;

function findUserKey(text: string, at: number): TextSpan | undefined {
  if (text.charCodeAt(at + 35) !== 64) return undefined;
  USER_KEY.lastIndex = at;
  const span = USER_KEY.exec(text)?.indices?.groups?.["secret"];
  return span && { start: span[0], end: span[1] };
}

function findWebhook(text: string, at: number): TextSpan | undefined {
  // Most URLs are none; three letters tell nearly all of them apart.
  const first = text.charCodeAt(at + 3);
  if (first !== 104 && first !== 100 && first !== 112 && first !== 99) return undefined;
  const second = text.charCodeAt(at + 4);
  if (first === 104 && second !== 111) return undefined;
  WEBHOOK.lastIndex = at;
  const span = WEBHOOK.exec(text)?.indices?.groups?.["secret"];
  return span && { start: span[0], end: span[1] };
}

/**
 * Secrets inside URLs: the password of `scheme://user:password@host`, a client's key, and hooks whose path is the
 * key. Query parameters are assignments and found there.
 */
export const urlSecrets: readonly TextRule[] = [
  { id: "url-password", when: { text: ["://"] }, do: findUrlPassword },
  { id: "url-key", when: { text: ["://"] }, do: findUserKey },
  { id: "webhook", when: { text: ["://"] }, do: findWebhook },
];
