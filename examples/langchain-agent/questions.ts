/** What the scripted model does in one turn: it calls tools, or it answers. */
export type Turn =
  | { readonly say?: string; readonly search?: string; readonly read?: readonly string[] }
  | { readonly answer: string };

/** A question with its candidate answers, and how the scripted model goes about it. */
export interface Question {
  readonly id: string;
  readonly text: string;
  /** Three concrete answers; none-of-the-above is added to them. */
  readonly answers: readonly [string, string, string];
  /** Place of the target among the answers, or `none`. Never given to capture. */
  readonly target: 0 | 1 | 2 | "none";
  readonly turns: readonly Turn[];
}

/** The candidate answers of a question, with ids that mean nothing. */
export function candidatesOf({ answers }: Question): { id: string; text: string }[] {
  return [
    ...answers.map((text, place) => ({ id: `cand-${place + 1}`, text })),
    { id: "none-of-the-above", text: "none of the above; the evidence is insufficient" },
  ];
}

/** Id of the reviewed answer; for use after the runs only. */
export function targetOf({ target }: Question): string {
  return target === "none" ? "none-of-the-above" : `cand-${target + 1}`;
}

export const questions: readonly Question[] = [
  {
    id: "skarn-colour",
    text: "What colour is the light of Skarn?",
    answers: ["a green light", "a white light", "a red light"],
    target: 0,
    turns: [
      { say: "I look for notes on the lights.", search: "light colour Skarn" },
      { read: ["lamp-colours"] },
      { answer: "Skarn shows a green light." },
    ],
  },
  {
    id: "skarn-keeper",
    text: "Who kept the Skarn light in the summer of 1933?",
    answers: ["Jorun Teig", "Ada Brunnholt", "the council of Vessen"],
    target: 1,
    // Reads a letter that points the wrong way first, then the list that settles it.
    turns: [
      { search: "Skarn lamp 1933" },
      { say: "The letter mentions 1933.", read: ["keeper-letter"] },
      { say: "That was the winter. The list of keepers will tell.", read: ["keeper-list"] },
      { answer: "Ada Brunnholt kept the Skarn light; Jorun Teig was there only in the winter." },
    ],
  },
  {
    id: "kelp-shed",
    text: "Where did kelp dry fastest in the trial?",
    answers: ["in the slatted shed", "in the closed shed", "on the open beach"],
    target: 0,
    // Believes the newsletter, and ends with a wrong answer.
    turns: [
      { search: "kelp trial" },
      { read: ["kelp-trial"] },
      { say: "The newsletter sums the trial up.", read: ["kelp-summary"] },
      { answer: "On the open beach, which the newsletter calls best of all." },
    ],
  },
  {
    id: "well-remedy",
    text: "What made the village well sweet again after the storm?",
    answers: ["chlorine tablets of the school", "pumping the well", "the rain of eleven days"],
    target: 1,
    // Reads both notes at once.
    turns: [
      { search: "village well storm" },
      { say: "Two notes speak of it.", read: ["well-report", "well-minutes"] },
      { answer: "Pumping the well: it lowered the salt." },
    ],
  },
  {
    id: "ferry-january",
    text: "When does the ferry leave Vessen in January?",
    answers: ["at 06:30", "at 07:50", "at 13:00"],
    target: 1,
    // Takes the summer timetable, notices it, and mends it.
    turns: [
      { search: "ferry leaves Vessen" },
      { read: ["ferry-summer"] },
      { say: "That is the summer. January needs the winter timetable.", read: ["ferry-winter"] },
      { answer: "In January the ferry leaves Vessen at 07:50." },
    ],
  },
  {
    id: "holm-north",
    text: "What grows on the north slope of Holm today?",
    answers: ["pears", "apples", "hazel"],
    target: 2,
    turns: [
      { search: "north slope Holm" },
      { say: "A map and a tale.", read: ["orchard-tale", "orchard-map"] },
      { answer: "Hazel, since 1958." },
    ],
  },
  {
    id: "school-1964",
    text: "How many pupils had the school of Vessen in 1964?",
    answers: ["41 pupils", "38 pupils", "35 pupils"],
    target: "none",
    // The archive does not say; the agent does not guess.
    turns: [
      { search: "school pupils 1964" },
      { read: ["school-roll"] },
      { search: "school Vessen teachers 1964" },
      { answer: "The roll ends with 1963, so the evidence is insufficient for an answer." },
    ],
  },
  {
    id: "skarn-burner",
    text: "What replaced the oil lamp of Skarn in 1931?",
    answers: ["an electric lamp", "a gas mantle", "an acetylene burner"],
    target: 2,
    turns: [
      { search: "Skarn oil lamp 1931 replaced" },
      { read: ["lamp-renewal"] },
      { answer: "An acetylene burner." },
    ],
  },
];
