import { isCardNumber, isIban, isIpv6, isOctets } from "./check-digits.ts";
import type { TextRule, TextSpan } from "./text-rule.ts";

const LOCAL = /[A-Za-z0-9._%+'-]{1,64}$/;
const DOMAIN = /@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}\.[A-Za-z]{2,24}(?![A-Za-z0-9])/y;

function findEmail(text: string, at: number): TextSpan | undefined {
  DOMAIN.lastIndex = at;
  const domain = DOMAIN.exec(text);
  if (domain === null) return undefined;
  const local = LOCAL.exec(text.slice(Math.max(0, at - 64), at));
  return local === null ? undefined : { start: at - local[0].length, end: at + domain[0].length };
}

// In these patterns a look back stands behind the first character, not before it: so the engine can
// skip to the first character, and does not look back from everywhere.

/**
 * Personal data. Off unless the policy asks: an address in a page an agent read is evidence, and
 * replacing it changes what is measured.
 */
export const personalData: readonly TextRule[] = [
  { id: "email", when: { text: ["@"] }, do: findEmail },
  {
    id: "iban",
    when: { always: true },
    do: /[A-Z](?<![A-Za-z0-9].)[A-Z]\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])/,
    check: isIban,
  },
  {
    id: "card",
    when: { always: true },
    do: /\d(?<![\d.-].)(?:[ -]?\d){12,18}(?![\d-])/,
    check: isCardNumber,
  },
  {
    id: "phone",
    when: { always: true },
    do: /[+(\d](?<![\w.+-].)(?:(?<=\+)\d{8,15}|(?<=\+)\d{1,3}(?:[ .-]\(?\d{1,8}\)?){2,5}|(?:(?<=\()\d{3}\) ?|(?<=\d)\d{2}[.-])\d{3}[.-]\d{4})(?![\w-])/,
    // E.164: at most 15 digits.
    check: (number) => /^\D*(?:\d\D*){8,15}$/.test(number),
  },
  {
    id: "ipv4",
    when: { always: true },
    do: /\d(?<![\d.].)\d{0,2}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/,
    check: isOctets,
  },
  {
    id: "ipv6",
    when: { always: true },
    do: /[0-9a-fA-F:](?<![0-9A-Za-z:.].)[0-9a-fA-F]{0,4}:[0-9a-fA-F:]{1,38}(?![0-9A-Za-z:])/,
    check: isIpv6,
  },
];
