import { credentialKind } from "./credential-name.ts";
import { isExplained } from "./everyday-value.ts";
import type { KeyRule } from "./key-rule.ts";

/** Nothing, a yes/no and an empty text are no secrets, and say that there is none. */
function holdsSomething(value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== "boolean" && value !== "";
}

function holdsCredential(value: unknown, name: string): boolean {
  if (!holdsSomething(value)) return false;
  if (typeof value === "string" && value.length <= 512 && isExplained(name, value)) return false;
  if (credentialKind(name) !== "ambiguous") return true;
  // A pin of a circuit, the id of a language token: a number under an everyday word is no credential.
  if (typeof value === "number") return /otp|code|cvv/i.test(name);
  // `auth: {user, password}` is a container; its fields are looked at one by one.
  return typeof value !== "object" || !/^auth$/i.test(name);
}

/** Credentials by field name: `password`, `apiKey`, `X-API-Key`, `GITHUB_TOKEN`, `authorization`, `cookie`. */
export const credentialKeys: readonly KeyRule[] = [
  {
    id: "key-credential",
    when: {
      name: (name) => {
        const kind = credentialKind(name);
        return kind !== undefined && kind !== "weak";
      },
      value: holdsCredential,
    },
    do: "remove",
    secret: true,
  },
];
