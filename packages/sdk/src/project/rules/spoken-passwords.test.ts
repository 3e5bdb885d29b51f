import { describe, expect, test } from "vitest";
import { findSecrets } from "../find-secrets.ts";
import { ruleEngine } from "../rule-engine.ts";
import { spokenPasswords } from "./spoken-passwords.ts";

function found(text: string): string[] {
  return findSecrets(text, ruleEngine(spokenPasswords)).map(({ start, end }) => text.slice(start, end));
}

describe("passwords without a sign", () => {
  test.each([
    ["The admin password is Xk29!pqLz", "Xk29!pqLz"],
    ["my password is hunter22X.", "hunter22X"],
    ["The password is now Tr0ub4dor&3, keep it", "Tr0ub4dor&3"],
    ["Das Passwort ist Geheim123! und", "Geheim123!"],
    ['the password was "hunter2"', "hunter2"],
    ["password changed to S3cure#Pass", "S3cure#Pass"],
    ["| password | hunter2 |", "hunter2"],
    ["| user | bob |\n| **Password** | `s3cr3t` |", "s3cr3t"],
    ["machine h login b password X", "X"],
    ["machine h\n  login bob\n  password swordfish\n", "swordfish"],
    ["login b password hunter2", "hunter2"],
    ["<password>swordfish</password>", "swordfish"],
    ["<db-password>\n  X\n</db-password>", "X"],
  ])("%s", (text, secret) => expect(found(text)).toEqual([secret]));

  test.each([
    "the password is required",
    "password is stored",
    "The password is stored in /etc/app.conf",
    "Your password is too short; a password is 8-character at least",
    "the password is SHA-256 hashed",
    "the password is Argon2id-hashed",
    "the password is Base64 encoded",
    "the password is $DB_PASSWORD",
    "the password is user.password",
    "the password is <PASSWORD1a>",
    "The password is https://example.org/Reset1",
    "Das Passwort ist erforderlich",
    "the password was 'required'",
    "the password is wrong!",
    "What is it? The password is invalid.",
    "| password | required |",
    "| user | password | role |",
    "| --- | --- |\n| password | string |",
    "login page password reset",
    "<password>required</password>",
    "<password>${env.PASSWORD}</password>",
    "<b>password</b> hunter2",
    "<h2>Your password>here</h2>",
    "<password>change it soon</password>",
    "the login form password field",
    "a crossword is Xk29!pqLz",
    "passwords are PBKDF2-HMAC-SHA256 hashed",
  ])("leaves %s", (text) => expect(found(text)).toEqual([]));
});
