import { describe, expect, test } from "vitest";
import { findSecrets } from "../find-secrets.ts";
import { ruleEngine } from "../rule-engine.ts";
import { assignments } from "./assignments.ts";
import { authHeaders } from "./auth-headers.ts";
import { commandFlags } from "./command-flags.ts";
import type { TextRule } from "./text-rule.ts";
import { urlSecrets } from "./url-secrets.ts";

function found(family: readonly TextRule[], text: string): string[] {
  return findSecrets(text, ruleEngine(family)).map(({ start, end }) => text.slice(start, end));
}

describe("assignments", () => {
  test.each([
    ["password=hunter2", "hunter2"],
    ["password: hunter2", "hunter2"],
    ["Password : hunter2, then", "hunter2"],
    ["passwd: swordfish\nnext", "swordfish"],
    ["DB_PASSWORD=correct.horse", "correct.horse"],
    ['"password": "two words"', "two words"],
    ["'password': 'x'", "x"],
    ["PASSWORD => 'swordfish'", "swordfish"],
    ['\\"password\\":\\"hunter2\\"', "hunter2"],
    ['\\\\\\"password\\\\\\":\\\\\\"hunter2\\\\\\"', "hunter2"],
    ['password = f"abc{x}"', "abc{x}"],
    ["api_key: abcd1234efgh5678", "abcd1234efgh5678"],
    ["API key: abcd1234efgh5678.", "abcd1234efgh5678"],
    ["export GITHUB_TOKEN=abcdef0123456789", "abcdef0123456789"],
    ['os.environ["API_KEY"] = "abc12345"', "abc12345"],
    [
      "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    ],
    ["'client_secret': 'abcDEF~x'", "abcDEF~x"],
    ["token=abc123def456ghi", "abc123def456ghi"],
    ["Authorization: Bearer abc.def-123", "abc.def-123"],
    ["authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"],
    ['"Authorization": "Token abcd"', "abcd"],
    ["Set-Cookie: sid=abc123def; Path=/", "sid=abc123def; Path=/"],
    ["https://x.org/?access_token=abcdef123456&x=1", "abcdef123456"],
    ["https://x.org/?q=1&key=AbCdEf0123456789#top", "AbCdEf0123456789#top"],
    ["Server=x;Password=p4ss;Database=y", "p4ss"],
    ["key = aB3dE5gH7jK9mN1pQ3sT5vW7", "aB3dE5gH7jK9mN1pQ3sT5vW7"],
    ["PGPASSWORD=x psql", "x"],
    ["Passwort: Geheim123!", "Geheim123"],
    ["client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURQ==", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURQ=="],
    ["pwd: s3cr3t", "s3cr3t"],
    ["MYSQL_PWD=/abc", "/abc"],
  ])("%s", (text, secret) => expect(found(assignments, text)).toEqual([secret]));

  test.each([
    "password reset flow",
    "Password: required",
    "the password: is",
    "password: str",
    "def login(password: str, token: Optional[str] = None):",
    "password = input('Password: ')",
    "client.login(password=password)",
    "login(password=args.password)",
    "password=$DB_PASSWORD",
    "password=<your password>",
    "password=********",
    "token: insulin",
    "token = tokenizer.next_token()",
    "token = tokens[0]",
    "total_tokens: 512, max_tokens=1024",
    "Total tokens = 1200",
    "next_page_token: none",
    "the secret garden",
    "a secret: she left",
    "the key: binding of p53",
    "key: rs429358",
    "key: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "answer key: the key to this question",
    "primary_key=user_id",
    "api_key=os.environ['OPENAI_API_KEY']",
    "api_key: string;",
    'api_key="YOUR_API_KEY"',
    "Authorization: approved by the ethics committee",
    "Cookie: chocolate chip",
    "pwd: /home/bob/project",
    "PWD=/home/bob/project",
    "PWD=C:\\Users\\bob",
    "Bearer: DE000A1EWWW0",
    "Passwort: erforderlich",
    "sudo NOPASSWD: ALL",
    "client-certificate-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURQ==",
    "auth: required",
    "Signature: John Smith",
    "insulin secretion: 12 mU/L",
    "https://example.org/?term=secret+garden",
    "==",
    ":",
    "=",
    "password",
    "password:",
    "password=",
    "password: ''",
  ])("leaves %s", (text) => expect(found(assignments, text)).toEqual([]));
});

describe("headers", () => {
  test("a long bearer token goes", () => {
    expect(found(authHeaders, "curl -H 'X: Bearer abcdefgh12345678.x'")).toEqual(["abcdefgh12345678.x"]);
  });
  test("Basic goes when it decodes to user:password", () => {
    expect(found(authHeaders, "use Basic dXNlcjpwYXNz now")).toEqual(["dXNlcjpwYXNz"]);
  });
  test.each([
    "bearer of BRCA1",
    "Bearer bonds-of-the-reconstruction-era",
    "Basic understanding of biology",
    "Basic Research",
    "the bearer ",
  ])("leaves %s", (text) => expect(found(authHeaders, text)).toEqual([]));
});

describe("URLs", () => {
  test.each([
    ["postgres://admin:s3cr3t@db.host/x", "s3cr3t"],
    ["https://:tok@host", "tok"],
    ["amqp://u:p@ss@host:5672/v", "p@ss"],
    ["https://hooks.slack.com/services/T000/B000/XXXX1234", "T000/B000/XXXX1234"],
    ["https://0123456789abcdef0123456789abcdef@o1.ingest.sentry.io/42", "0123456789abcdef0123456789abcdef"],
    ["https://discord.com/api/webhooks/123456/abcDEF", "123456/abcDEF"],
  ])("%s", (text, secret) => expect(found(urlSecrets, text)).toEqual([secret]));
  test.each([
    "http://localhost:8080/path",
    "https://example.org/@user:name",
    "see a://b",
    "mailto:a@b.org",
    "https://host/a:b@c",
    "https://hooks.example.org/services/x",
  ])("leaves %s", (text) => expect(found(urlSecrets, text)).toEqual([]));
});

describe("command flags", () => {
  test.each([
    ["mysql --password hunter2 -h x", "hunter2"],
    ["run --api-key 'abc' --verbose", "abc"],
    ["gh --token abcd1234 x", "abcd1234"],
    ["curl -s -u bob:hunter2 https://x", "hunter2"],
    ["mysql -u root -pX db", "X"],
    ["mysqldump -h x -p's3cret' db", "s3cret"],
    ["sshpass -p 'X' ssh bob@host", "X"],
    ["sshpass -phunter2 ssh bob@host", "hunter2"],
  ])("%s", (text, secret) => expect(found(commandFlags, text)).toEqual([secret]));
  test.each([
    "--help --verbose",
    "--password --verbose",
    "--token count",
    "docker run -u 1000:1000",
    "a--password b",
    "-----",
    "--password $PW",
    "git diff -u a:b",
    "mysql -u root -p db",
    "mysql -p$PW",
    "mkdir -p a/b",
    "ssh -p 2222 host",
    "mysql -u root; mkdir -pv x",
    "docker run -p8080:80 mysql",
  ])("leaves %s", (text) => expect(found(commandFlags, text)).toEqual([]));
});
