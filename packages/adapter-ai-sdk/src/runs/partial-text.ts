/** Most characters of a step's text that are kept in case it is not finished. */
const MOST = 8000;

/**
 * What the model has said in the step under way, as far as the reader of its stream was given it. A reader may be
 * behind: what it is given of steps that have ended is not said in this one.
 */
export class PartialText {
  #text = "";
  /** Characters that the reader was given, of all steps. */
  #given = 0;
  /** Characters of the steps that have ended. */
  #ended = 0;

  get text(): string {
    return this.#text;
  }

  given(delta: string): void {
    this.#given += delta.length;
    const own = Math.min(delta.length, this.#given - this.#ended);
    const room = MOST - this.#text.length;
    if (own > 0 && room > 0) this.#text += delta.slice(delta.length - own).slice(0, room);
  }

  /** A step has ended whose text had so many characters; not known where it gave no result. */
  stepEnded(chars: number | undefined): void {
    this.#ended = chars === undefined ? this.#given : this.#ended + chars;
    this.#text = "";
  }
}
