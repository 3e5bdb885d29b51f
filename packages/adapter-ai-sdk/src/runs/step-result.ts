/** What capture reads of a step's result, by allow-list. Fields that are missing or of another type are absent. */
export interface StepResultFacts {
  /** Place of the step in its run as the SDK counts; AI SDK 5 does not say. */
  readonly number: number | undefined;
  readonly content: readonly unknown[];
  /** Messages that the step added; undefined where they are not known. */
  readonly messages: readonly unknown[] | undefined;
  readonly finishReason: string | undefined;
  readonly usage: unknown;
}

/** What capture reads when a step starts. */
export interface StepStartFacts {
  readonly number: number | undefined;
  /** The conversation the model is given; undefined where it is not known. */
  readonly messages: readonly unknown[] | undefined;
  readonly system: string | undefined;
}

function fieldsOf(event: unknown): Readonly<Record<string, unknown>> {
  return typeof event === "object" && event !== null ? (event as Record<string, unknown>) : {};
}

export function stepNumberOf(event: unknown): number | undefined {
  const { stepNumber } = fieldsOf(event);
  return Number.isSafeInteger(stepNumber) && (stepNumber as number) >= 0 ? (stepNumber as number) : undefined;
}

function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** A system prompt in any of its forms as one text; undefined for none. */
export function systemText(system: unknown): string | undefined {
  if (system === undefined || system === null) return undefined;
  const parts: readonly unknown[] = Array.isArray(system) ? system : [system];
  const texts = parts.map((part) => (typeof part === "string" ? part : fieldsOf(part)["content"]));
  const text = texts.filter((part) => typeof part === "string").join("\n");
  return text === "" ? undefined : text;
}

/** Characters of the texts in a step's content. */
export function textLength(content: readonly unknown[]): number {
  let chars = 0;
  for (const part of content) {
    const { type, text } = fieldsOf(part);
    if (type === "text" && typeof text === "string") chars += text.length;
  }
  return chars;
}

/** Reads `onStepStart` of AI SDK 6 and 7. */
export function readStepStart(event: unknown): StepStartFacts {
  const { messages, instructions, system } = fieldsOf(event);
  return {
    number: stepNumberOf(event),
    messages: listOf(messages),
    system: systemText(instructions ?? system),
  };
}

/**
 * Reads the results of a run's steps one after the other. AI SDK 7 lists with a step the messages of that
 * step, 5 and 6 those of all steps so far, so that the reader remembers how many there were.
 */
export class StepResultReader {
  readonly #listsOneStep: boolean | undefined;
  #seen: number | undefined;
  /** Number of the step whose result comes next. */
  #next = 0;
  #isLost = false;

  /** @param listsOneStep undefined where the major is not known: only the results of AI SDK 7 have a `callId` */
  constructor(listsOneStep: boolean | undefined) {
    this.#listsOneStep = listsOneStep;
  }

  /** @param openStep number of the step under way, for events that carry none */
  read(event: unknown, openStep?: number): StepResultFacts {
    const { content, response, finishReason, usage, callId } = fieldsOf(event);
    const listsOne = this.#listsOneStep ?? typeof callId === "string";
    const listed = listOf(fieldsOf(response)["messages"]);
    const number = stepNumberOf(event);
    return {
      number,
      content: listOf(content) ?? [],
      messages: listsOne ? listed : this.#newest(listed, number ?? openStep ?? this.#next),
      finishReason: typeof finishReason === "string" ? finishReason : undefined,
      usage,
    };
  }

  #newest(listed: readonly unknown[] | undefined, number: number): readonly unknown[] | undefined {
    // Where a result was missed, what is new since then is not all of this step.
    const isLost = this.#isLost || number > this.#next;
    this.#next = Math.max(this.#next, number + 1);
    this.#isLost = listed === undefined;
    if (listed === undefined) return undefined;
    // Before the first step only the results of approved calls can stand there: a step starts with what the model says.
    const seen = this.#seen ?? (fieldsOf(listed[0])["role"] === "tool" ? 1 : 0);
    this.#seen = listed.length;
    return isLost || listed.length < seen ? undefined : listed.slice(seen);
  }
}
