/** Control characters (Cc) move a terminal's cursor, format characters (Cf) turn the text's direction. */
const CONTROLS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const CONTROLS_IN_LINES = /[^\P{Cc}\n\t]|[\p{Cf}\u2028\u2029]/gu;

/** A text from outside made safe for one line of a terminal: control and bidirectional marks become spaces. */
export function cleanText(text: string): string {
  return text.replace(CONTROLS, " ");
}

/** The same for a message of several lines, which may name files, records and values of any kind. */
export function cleanLines(text: string): string {
  return text.replace(CONTROLS_IN_LINES, " ");
}
