/** Luhn's check over 13 to 19 digits (ISO/IEC 7812-1), separators ignored. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  if (digits.length < 13 || digits.length > 19 || /^(\d)\1*$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The mod-97 check of an IBAN (ISO 13616), blanks ignored. */
export function isIban(text: string): boolean {
  const compact = text.replaceAll(" ", "");
  if (compact.length < 15 || compact.length > 34) return false;
  let remainder = 0;
  for (const c of compact.slice(4) + compact.slice(0, 4)) {
    const value = parseInt(c, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** Four numbers of at most 255. */
export function isOctets(text: string): boolean {
  return text.split(".").every((part) => Number(part) <= 255);
}

/** Eight groups, or fewer around one `::`; a time of day (`12:30:45`) is none. */
export function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  if (groups.some((group) => !/^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  return halves.length === 2 ? groups.length >= 1 && groups.length <= 7 : groups.length === 8;
}
