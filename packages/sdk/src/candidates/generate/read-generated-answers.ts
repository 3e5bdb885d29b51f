import { isNoneOfTheAbove, normaliseCandidateText } from "../candidate-words.ts";

/** Concrete answers of an `open-qa` set. */
const COUNT = 3;
/** Longest answer, in UTF-16 units. */
const MAX_ANSWER = 300;
/** Longest reply looked at: three answers, their quotes and some space. */
const MAX_REPLY = 4000;

/** What a reply holds, or what is wrong with it in words that quote nothing of it. */
export type GeneratedAnswers = { answers: string[]; problem?: never } | { answers?: never; problem: string };

/**
 * Reads the reply to a generation prompt, strictly: a JSON object with the one key `answers`, three
 * different one-line strings of at most 300 characters. A code fence around it is passed over;
 * anything else beside it is refused, since guessing would put words into a set that nobody wrote.
 */
export function readGeneratedAnswers(reply: string): GeneratedAnswers {
  if (reply.length > MAX_REPLY) return { problem: `it was longer than ${MAX_REPLY} characters` };
  let json: unknown;
  try {
    json = JSON.parse(unfenced(reply));
  } catch {
    return { problem: "it was not JSON alone" };
  }
  if (typeof json !== "object" || json === null || Object.keys(json).join() !== "answers") {
    return { problem: 'it was not an object with the one key "answers"' };
  }
  const { answers } = json as { answers: unknown };
  if (!Array.isArray(answers) || answers.length !== COUNT)
    return { problem: `it did not hold ${COUNT} answers` };
  const seen = new Set<string>();
  for (const [i, answer] of (answers as unknown[]).entries()) {
    const flaw = flawOf(answer, seen);
    if (flaw !== undefined) return { problem: `answer ${i + 1} ${flaw}` };
  }
  return { answers: (answers as string[]).map((answer) => answer.trim()) };
}

function flawOf(answer: unknown, seen: Set<string>): string | undefined {
  if (typeof answer !== "string") return "is no string";
  const text = answer.trim();
  const key = normaliseCandidateText(text);
  if (key === "") return "is empty";
  if (text.length > MAX_ANSWER) return `is longer than ${MAX_ANSWER} characters`;
  // Control, format and private characters: a reviewer could not see them, or could be misled by them.
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(text)) return "holds characters that cannot be seen, or a line end";
  if (/^[([]?[A-Za-z0-9][.):\]]\s/u.test(text)) return "starts with a number or letter as a list does";
  if (isNoneOfTheAbove({ id: "", text })) return "is a none-of-the-above";
  if (seen.has(key)) return "is the same as another one";
  seen.add(key);
  return undefined;
}

function unfenced(reply: string): string {
  const text = reply.trim();
  const fence = /^```(?:json)?\n([^]*)\n```$/u.exec(text);
  return fence === null ? text : fence[1]!;
}
