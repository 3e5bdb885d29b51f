const LIMIT = 160;
/** A stretch this long of what was sent counts as a repetition of it. */
const ECHO = 24;
const KEY_STRETCH = 6;

/**
 * A server's own words, safe to print: no key, not even in part, nothing that looks like one, and none
 * of what was sent, since states never reach a message. One line, cut.
 *
 * @returns undefined when nothing safe is left
 */
export function safeWords(text: unknown, sent: string, secrets: readonly string[]): string | undefined {
  if (typeof text !== "string") return undefined;
  const line = text
    .slice(0, 2000)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (line === "" || repeats(line, sent)) return undefined;
  const words = line.split(" ").map((word) => (isSecret(word, secrets) ? "[removed]" : word));
  const said = words.join(" ");
  return said.length > LIMIT ? `${said.slice(0, LIMIT)}…` : said;
}

function repeats(line: string, sent: string): boolean {
  if (sent === "") return false;
  for (let i = 0; i + ECHO <= line.length; i++) if (sent.includes(line.slice(i, i + ECHO))) return true;
  return false;
}

/** Servers mask keys in their own ways (`sk-ab***yz`), so any stretch of a key counts. */
function isSecret(word: string, secrets: readonly string[]): boolean {
  if (/\*{2,}|^\W*(sk|pk|key|gsk|fw|xai|tgp|hf)[-_]\S{4}|bearer|^\W*[\w+/=-]{32,}\W*$/i.test(word))
    return true;
  return secrets.some((secret) => {
    for (let i = 0; i + KEY_STRETCH <= secret.length; i++)
      if (word.includes(secret.slice(i, i + KEY_STRETCH))) return true;
    return false;
  });
}
