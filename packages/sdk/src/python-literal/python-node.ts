/**
 * What a value is in a text that Python printed.
 *
 * | kind | printed as |
 * | --- | --- |
 * | text, bytes | `'...'`, `b'...'`, several side by side, triple quotes |
 * | scalar | numbers, `None`, `True`, `False`, `nan`, `inf` |
 * | list, tuple, set, dict | `[...]`, `(...,)`, `{...}`, `{...: ...}` |
 * | call | an object as a call that would make it: `Answer(text='..', n=1)`, `OrderedDict([...])` |
 * | angle | any other object: `<Answer text='..'>`, `<Role.USER: 'user'>`, `<object at 0x7f>` |
 * | fields | what `str()` gives of a pydantic model: `text='..' n=1` |
 * | name | a word: `Role.USER`, `...` |
 * | deep | nested deeper than the reader was to look |
 */
export type PythonKind =
  | "text"
  | "bytes"
  | "scalar"
  | "list"
  | "tuple"
  | "set"
  | "dict"
  | "call"
  | "angle"
  | "fields"
  | "name"
  | "deep";

/** A value at [start, end) of the text. */
export interface PythonNode {
  readonly kind: PythonKind;
  readonly start: number;
  readonly end: number;
  /** The value as JSON has it; see {@link readPythonLiteral}. For what is no literal, a likeness of it. */
  readonly value: unknown;
  /** What it is made of, in order. */
  readonly parts: readonly PythonPart[];
  /** Where its closing bracket stands; its end where it has none. */
  readonly close: number;
  /** The bytes of a bytes literal that hold no text: no UTF-8, or a NUL. */
  readonly bytes?: Uint8Array;
}

/** An element, or an entry with its key, at [start, end) of the text. */
export interface PythonPart {
  readonly start: number;
  readonly end: number;
  /** The key of a dict's entry; for `name=value` a node of kind `name`. */
  readonly key?: PythonNode;
  readonly value: PythonNode;
}

/** A text that is one Python value. */
export interface PythonText {
  readonly root: PythonNode;
  /** All of it is dicts, lists, tuples, sets, texts, numbers and None: what `ast.literal_eval` reads. */
  readonly isLiteral: boolean;
  /** It holds keys or texts, which can say something. */
  readonly holdsText: boolean;
}
