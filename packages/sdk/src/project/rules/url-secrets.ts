import type { TextRule } from "./text-rule.ts";

/**
 * Secrets inside URLs: the password of `scheme://user:password@host`, and hooks whose path is the
 * key. Query parameters are assignments and found there.
 */
export const urlSecrets: readonly TextRule[] = [
  {
    id: "url-password",
    when: { text: ["://"] },
    do: /:\/\/[^\s/:@"'<>[\]]{0,128}:(?<secret>[^\s/@"'<>]{1,512})@(?=[A-Za-z0-9[_.-])/,
  },
  {
    id: "webhook",
    when: { text: ["://"] },
    do: /:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)|(?:[a-z]{2,8}\.)?discord(?:app)?\.com\/api\/webhooks|[a-z0-9-]{1,64}\.webhook\.office\.com\/webhookb2)\/(?<secret>[A-Za-z0-9/_@-]{8,512})/,
  },
];
