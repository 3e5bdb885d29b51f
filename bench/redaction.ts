/**
 * How fast the projection reads states: MB/s on clean and dirty text, growth on hostile text.
 *
 *     node --conditions=@agent-step-value/source bench/redaction.ts
 *
 * Best of several rounds of thread time; a fresh session a state, so nothing is remembered.
 */
import { createRedactionSession, projectState, resolvePolicy } from "../packages/sdk/src/project/index.ts";

const STATE_CHARS = 20_480;
const MB = 1_000_000;

/** A small linear congruential generator (Numerical Recipes constants), so that every run reads the same text. */
function randomFrom(seed: number): () => number {
  let x = seed >>> 0;
  return () => {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
    return x / 2 ** 32;
  };
}

const WORDS = (
  "the of and in to was with for patients treatment insulin secretion tokenization bearer BRCA1 mutation carriers risk group trial " +
  "(p = 0.03), n = 120, response: partial; retrieved abstract PMID 28912345 reports that gold standard therapy improves survival " +
  "HbA1c 7.2% versus placebo. We therefore conclude step-by-step evidence https://pubmed.ncbi.nlm.nih.gov/28912345/ suggests"
).split(" ");

// Assembled here, so that no scanner takes this file for a leak.
const A36 = "abcdefghijklmnopqrstuvwxyz0123456789";
const SECRETS = [
  "AKIAIOSFODNN7EXAMPLE",
  `ghp_${A36}`,
  `sk-proj-Abc123${A36}`,
  `sk-ant-api03-AbCdEf_${A36}`,
  `xoxb-123456789012-${A36}`,
  `AIza${"SyA1234567890"}${A36.slice(0, 22)}`,
  `glpat-${A36.slice(0, 20)}1234`,
  `hf_${A36}`,
  `npm_${A36}`,
  `sk_live_${A36}`,
  `SG.${A36.slice(0, 22)}.${A36}ABCDEFG`,
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${A36}`,
  `-----BEGIN RSA PRIVATE KEY-----\n${A36}\n-----END RSA PRIVATE KEY-----`,
  "Authorization: Bearer abc.def-123456789",
  "Basic dXNlcjpwYXNzd29yZA==",
  "postgres://admin:s3cr3t@db.example.org/x",
  "https://example.org/?access_token=abcdef123456&x=1",
  'password="hunter2"',
  "api_key: abcd1234efgh5678",
  `AccountKey=${A36}==`,
  '{\\"password\\":\\"hunter2\\"}',
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
];

function prose(chars: number, random: () => number): string {
  const words: string[] = [];
  for (let length = 0; length < chars;) {
    const word = WORDS[Math.floor(random() * WORDS.length)] ?? "the";
    words.push(word);
    length += word.length + 1;
  }
  // Through JSON, as texts reach a program: a slice of a longer text reads slower than the text itself.
  return JSON.parse(JSON.stringify(words.join(" ").slice(0, chars))) as string;
}

/** One state: a task and eight blocks of text; dirty ones carry every secret once. */
function makeState(seed: number, dirty: boolean) {
  const random = randomFrom(seed);
  const share = Math.floor(STATE_CHARS / 8);
  const blocks = Array.from({ length: 8 }, (_, i) => {
    let text = prose(share, random);
    if (dirty) {
      for (let s = i; s < SECRETS.length; s += 8) {
        const at = text.indexOf(" ", Math.floor(random() * text.length * 0.9));
        text = `${text.slice(0, at)} ${SECRETS[s] ?? ""} ${text.slice(at)}`;
      }
    }
    return { kind: i === 0 ? "task" : "evidence", text };
  });
  return { blocks };
}

/** The same prose as a host's object with many small fields. */
function makeObject(seed: number) {
  const random = randomFrom(seed);
  return {
    question: prose(200, random),
    messages: Array.from({ length: 60 }, (_, i) => ({
      role: i % 2 === 0 ? "user" : "assistant",
      content: prose(250, random),
      usage: { total_tokens: 123, prompt_tokens: 45 },
    })),
    evidence: Array.from({ length: 20 }, () => ({ pmid: "28912345", title: prose(60, random) })),
  };
}

function bestTime(work: () => void, rounds: number): number {
  let best = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

function row(name: string, value: string): void {
  console.log(`${name.padEnd(44)} ${value}`);
}

function throughput(name: string, states: readonly unknown[], policy = resolvePolicy()): void {
  const chars = states.reduce<number>((sum, state) => sum + JSON.stringify(state).length, 0);
  const work = () => {
    for (const state of states) projectState(state, policy, createRedactionSession());
  };
  const ms = bestTime(work, 60);
  row(name, `${(chars / MB / (ms / 1000)).toFixed(0)} MB/s`);
}

const HOSTILE: readonly (readonly [string, (chars: number) => string])[] = [
  ["1.1.1.", (n) => "1.1.1.".repeat(n / 6)],
  ["a@a@", (n) => "a@a@".repeat(n / 4)],
  ["AAAA", (n) => "A".repeat(n)],
  ["PEM headers", (n) => "-----BEGIN RSA PRIVATE KEY-----\n".repeat(n / 32)],
  ["base64", (n) => "iVBORw0KGgoAAAANSUhEUgAA+/x9".repeat(n / 28)],
  ["base64, wrapped lines", (n) => `${"iVBORw0KGgoAAAANSUhEUgAA+/x9".repeat(2)}aaaaAAAA0\n`.repeat(n / 66)],
  [
    "nested JSON strings",
    (n) => JSON.stringify(JSON.stringify(JSON.stringify("x".repeat(n / 2) + '"'.repeat(n / 16)))),
  ],
  ["open brackets", (n) => `${"[".repeat(n / 2)}${"]".repeat(n / 2)}`],
  ["backslashes", (n) => "\\".repeat(n)],
  ["====", (n) => "=".repeat(n)],
  ["password=", (n) => "password=".repeat(n / 9)],
  ['password="', (n) => 'password="'.repeat(n / 10)],
  ["token=", (n) => "token=".repeat(n / 6)],
  ["secret:", (n) => "secret:".repeat(n / 7)],
  ["%3D", (n) => "%3D".repeat(n / 3)],
  ["password is", (n) => "password is ".repeat(n / 12)],
  ["sig=", (n) => "sig=".repeat(n / 4)],
  ["sk-", (n) => "sk-".repeat(n / 3)],
  ["eyJ.", (n) => "eyJabcdefghijklm.".repeat(n / 17)],
  ["://a:", (n) => "://a:".repeat(n / 5)],
  ["-----", (n) => "-".repeat(n)],
  ["data:", (n) => "data:image/png;base64,".repeat(n / 22)],
  ["[SECRET:jwt:1]", (n) => "[SECRET:jwt:1]".repeat(n / 14)],
  ["lone surrogates", (n) => "\ud800".repeat(n)],
];

function hostile(withPersonalData: boolean): void {
  const policy = resolvePolicy({ maxChars: 1_000_000, personalData: withPersonalData });
  for (const [name, make] of HOSTILE) {
    const times = [10_000, 20_000, 40_000, 80_000, 160_000, 320_000].map((chars) => {
      const state = { blocks: [{ kind: "evidence", text: make(chars) }] };
      return bestTime(() => void projectState(state, policy, createRedactionSession()), 5);
    });
    const [, , t40 = 1, t80 = 1, t160 = 1, t320 = 1] = times;
    const growth = `x4: ${(t160 / t40).toFixed(1)} and ${(t320 / t80).toFixed(1)}`;
    row(`  ${name}`, `${(320_000 / 1000 / t320).toFixed(0).padStart(5)} MB/s at 320k   time ${growth}`);
  }
}

/** The longest any hostile text that fills the default budget keeps a host waiting, read once. */
function worstState(): void {
  const policy = resolvePolicy();
  const times = HOSTILE.map(([name, make]) => {
    const state = { text: make(policy.maxWork) };
    return [bestTime(() => void projectState(state, policy, createRedactionSession()), 1), name] as const;
  });
  const [ms, name] = times.reduce((worst, next) => (next[0] > worst[0] ? next : worst));
  row(`worst state of ${policy.maxWork} characters: ${name}`, `${ms.toFixed(0)} ms`);
}

/** Prints the rows of the redaction benchmark. */
export async function run(): Promise<void> {
  const seeds = Array.from({ length: 40 }, (_, i) => i + 1);
  console.log("projectState, 20 KB states");
  throughput(
    "clean, 8 text blocks",
    seeds.map((seed) => makeState(seed, false)),
  );
  throughput("clean, object of 300 small fields", seeds.map(makeObject));
  throughput(
    "clean, the same object as a JSON string",
    seeds.map((seed) => ({ state: JSON.stringify(makeObject(seed)) })),
  );
  throughput(
    "dirty, 22 secrets a state",
    seeds.map((seed) => makeState(seed, true)),
  );
  throughput(
    "dirty, with personal data rules",
    seeds.map((seed) => makeState(seed, true)),
    resolvePolicy({ personalData: true }),
  );
  console.log("hostile text, default rules (4.0 is linear)");
  hostile(false);
  worstState();
  console.log("hostile text, with personal data rules");
  hostile(true);
}

if (import.meta.main) await run();
