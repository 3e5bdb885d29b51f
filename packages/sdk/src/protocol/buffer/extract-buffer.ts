import type { PromptSubject } from "../prompt/index.ts";

/** One sentence of a state: where it stands and how much it shares with the task. */
interface Sentence {
  text: string;
  words: readonly string[];
}

/** Characters counted as one token. */
const CHARS_PER_TOKEN = 4;

/**
 * The extractive buffer: sentences lifted word for word from the state, chosen without a model.
 *
 * A sentence is worth the number of distinct words it shares with question and candidates that no
 * chosen sentence has covered yet; ties go to the later sentence, since evidence enters late. The
 * best that still fits is taken until none fits; the chosen stand in the state's order, one a line. The
 * same state gives the same buffer everywhere.
 *
 * @param maxTokens size of the buffer, one token counted as 4 characters
 */
export function extractBuffer({ question, blocks, candidates }: PromptSubject, maxTokens: number): string {
  const wanted = new Set([question, ...candidates.map(({ text }) => text)].flatMap(wordsOf));
  const sentences: Sentence[] = blocks
    .filter(({ kind }) => kind !== "task")
    .flatMap(({ text }) => sentencesOf(text))
    .map((text) => ({ text, words: [...new Set(wordsOf(text))].filter((word) => wanted.has(word)) }));
  let room = maxTokens * CHARS_PER_TOKEN;
  const chosen = new Set<number>();
  for (;;) {
    const best = bestSentence(sentences, wanted, room, chosen);
    if (best === undefined) break;
    const { text, words } = sentences[best]!;
    chosen.add(best);
    room -= text.length + 1;
    for (const word of words) wanted.delete(word);
  }
  return [...chosen]
    .toSorted((a, b) => a - b)
    .map((i) => sentences[i]!.text)
    .join("\n");
}

function bestSentence(
  sentences: readonly Sentence[],
  wanted: ReadonlySet<string>,
  room: number,
  chosen: ReadonlySet<number>,
): number | undefined {
  let best: number | undefined;
  let most = 0;
  sentences.forEach(({ text, words }, i) => {
    if (chosen.has(i) || text.length > room) return;
    const gain = words.filter((word) => wanted.has(word)).length;
    if (gain < most) return;
    most = gain;
    best = i;
  });
  return best;
}

/** Words of at least three letters or digits, lower case: shorter ones are in every sentence. */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length >= 3);
}

function sentencesOf(text: string): string[] {
  return text
    .split(/[\n\r]+|(?<=[.!?])\s+/u)
    .map((sentence) => sentence.trim())
    .filter(Boolean);
}
