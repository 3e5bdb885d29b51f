/**
 * Characters that a reader does not see or that turn the text around them: controls, format and
 * bidirectional marks, tag characters, fillers, variation selectors of the supplement, lone surrogates,
 * private use. Tab and line feed are text.
 */
const HIDDEN =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0\u{E0000}-\u{E0FFF}]/u;
const JOINERS = "\u200C\u200D";
/** What a joiner joins in honest text: letters of scripts that need it, and parts of an emoji. */
const JOINABLE = /[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u;

/** One piece of a text: a run of plain characters, or the name of a character that would not be seen. */
export interface TextPiece {
  text: string;
  hidden: boolean;
  /** UTF-16 units of the source it stands for. */
  units: number;
}

/** `U+202E` for a right-to-left override. */
export function codePointName(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * A text from a run, cut into plain pieces and named hidden characters. A carriage return before a line
 * feed is part of the line end, and a joiner between letters or emoji is part of a word.
 */
export function* textPieces(text: string): Generator<TextPiece> {
  let plain = "";
  let previous = "";
  const characters = text[Symbol.iterator]();
  let current = characters.next();
  while (current.done !== true) {
    const character = current.value;
    current = characters.next();
    const next = current.done === true ? "" : current.value;
    if (isHidden(character, previous, next)) {
      if (plain !== "") yield plainPiece(plain);
      plain = "";
      yield { text: codePointName(character), hidden: true, units: character.length };
    } else {
      plain += character;
      // Bounded pieces, so that whoever stops early has not read a megabyte first.
      if (plain.length >= 256 && !JOINERS.includes(next || " ")) {
        yield plainPiece(plain);
        plain = "";
      }
    }
    previous = character;
  }
  if (plain !== "") yield plainPiece(plain);
}

function plainPiece(text: string): TextPiece {
  return { text, hidden: false, units: text.length };
}

function isHidden(character: string, previous: string, next: string): boolean {
  if (character === "\n" || character === "\t") return false;
  if (character === "\r") return next !== "\n";
  if (JOINERS.includes(character)) return !(JOINABLE.test(previous) && JOINABLE.test(next));
  return HIDDEN.test(character);
}

/** The text with hidden characters as `⟨U+202E⟩`, for places that hold no markup: attributes and plots. */
export function visibleText(text: string): string {
  if (!HIDDEN.test(text)) return text;
  let out = "";
  for (const piece of textPieces(text)) out += piece.hidden ? `⟨${piece.text}⟩` : piece.text;
  return out;
}

/** At most `limit` characters of a text on one line, cut between code points, with an ellipsis. */
export function shortText(text: string, limit: number): string {
  const head = Array.from(text.slice(0, 2 * limit + 2)); // code points, so that none is cut in two
  const cut = head.length > limit || text.length > 2 * limit + 2;
  // Hidden characters first: some of them count as white space.
  return visibleText(cut ? `${head.slice(0, limit - 1).join("")}…` : text).replace(/\s+/g, " ");
}
