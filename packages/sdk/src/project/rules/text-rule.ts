/** A place in a text, [start, end) in UTF-16 units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Looks at a text where a rule's literal stands; answers with what must go, or nothing. */
export type SpanFinder = (text: string, at: number) => TextSpan | undefined;

/**
 * Where a text rule is tried at all. This is the pre-filter: a text without the literals costs next
 * to nothing.
 *
 * - `token`: a literal that opens, or stands up to eight characters before, an unbroken run of at
 *   least 16 letters, digits, `_` and `-`. For secrets with a known prefix.
 * - `text`: a literal anywhere. Cheap for literals that open with `=` or `:`, which share one pass.
 * - `always`: every text. Dear; for opt-in and custom rules.
 */
export type TextTrigger =
  { readonly token: readonly string[] } | { readonly text: readonly string[] } | { readonly always: true };

/**
 * A rule about text.
 *
 * `do` as a pattern is tried at the literal (for `always`: everywhere) and must be bounded; its
 * group named `secret`, or else its whole match, goes. A pattern must have no state of its own.
 */
export interface TextRule {
  /** `a-z`, `0-9` and `-`, at most 40; names the rule in reports and placeholders. */
  readonly id: string;
  readonly when: TextTrigger;
  readonly do: RegExp | SpanFinder;
  /** Last word on what a pattern matched, where a pattern is not enough (a check digit). */
  readonly check?: (secret: string) => boolean;
}

/**
 * A detector of the user's own, for what rules cannot say (a person's name). Called once a text,
 * after all rules; must be synchronous. What it throws costs the text, not the host.
 */
export type Detector = (text: string) => Iterable<TextSpan & { readonly rule?: string }>;
