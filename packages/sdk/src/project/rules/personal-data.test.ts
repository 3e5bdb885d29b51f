import { describe, expect, test } from "vitest";
import { findSecrets } from "../find-secrets.ts";
import { ruleEngine } from "../rule-engine.ts";
import { isCardNumber, isIban, isIpv6, isOctets } from "./check-digits.ts";
import { personalData } from "./personal-data.ts";

const engine = ruleEngine(personalData);

function found(text: string): string[] {
  return findSecrets(text, engine).map(({ id, start, end }) => `${id}: ${text.slice(start, end)}`);
}

describe("personal data", () => {
  test.each([
    ["write to ann.o'neil+x@mail.example.org.", "email: ann.o'neil+x@mail.example.org"],
    ["card 4111 1111 1111 1111 ok", "card: 4111 1111 1111 1111"],
    ["card 4111111111111111", "card: 4111111111111111"],
    ["IBAN DE89 3704 0044 0532 0130 00", "iban: DE89 3704 0044 0532 0130 00"],
    ["GB82WEST12345698765432", "iban: GB82WEST12345698765432"],
    ["call +49 30 1234567", "phone: +49 30 1234567"],
    ["call (212) 555-0123", "phone: (212) 555-0123"],
    ["call 212-555-0123", "phone: 212-555-0123"],
    ["+4915123456789", "phone: +4915123456789"],
    ["from 192.168.0.1:80", "ipv4: 192.168.0.1"],
    ["at 2001:db8::8a2e:370:7334 now", "ipv6: 2001:db8::8a2e:370:7334"],
    ["fe80:0:0:0:1:2:3:4", "ipv6: fe80:0:0:0:1:2:3:4"],
  ])("%s", (text, hit) => expect(found(text)).toEqual([hit]));

  test.each([
    "n = 120, p = 0.03",
    "4111 1111 1111 1112",
    "0000 0000 0000 0000",
    "DE89 3704 0044 0532 0130 01",
    "version 1.2.3.4.5",
    "999.1.1.1",
    "12:30:45",
    "std::vector",
    "a@b",
    "@handle",
    "PMID 28912345",
    "2024-05-03",
    "chr1:1234567-2345678",
    "10.1038/s41586-020-2649-2",
  ])("leaves %s", (text) => expect(found(text)).toEqual([]));
});

test("Luhn: a card number stops being one when a digit changes", () => {
  // 4539 1488 0343 6467: doubled from the right 6467 3430 8841 9354 sums to 80, a multiple of 10.
  expect(isCardNumber("4539148803436467")).toBe(true);
  expect(isCardNumber("4539148803436468")).toBe(false);
  expect(isCardNumber("123456789012")).toBe(false);
});

test("mod 97: moving the country to the end and reading letters as 10 to 35 leaves 1", () => {
  // GB82 WEST 1234 5698 7654 32 -> 3214282912345698765432161182 mod 97 = 1.
  expect(3214282912345698765432161182n % 97n).toBe(1n);
  expect(isIban("GB82 WEST 1234 5698 7654 32")).toBe(true);
  expect(isIban("GB83 WEST 1234 5698 7654 32")).toBe(false);
});

test("addresses are checked part by part", () => {
  expect(isOctets("255.255.255.255")).toBe(true);
  expect(isOctets("256.1.1.1")).toBe(false);
  expect(isIpv6("1::")).toBe(true);
  expect(isIpv6("1:2:3")).toBe(false);
  expect(isIpv6("1::2::3")).toBe(false);
  expect(isIpv6("::")).toBe(false);
});
