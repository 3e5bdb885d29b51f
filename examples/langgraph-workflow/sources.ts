/** Readings and reports about an invented reservoir. */
export interface Source {
  readonly id: string;
  readonly kind: "reading" | "report";
  readonly text: string;
}

export const sources: readonly Source[] = [
  { id: "r1", kind: "reading", text: "The Almere gauge stood at 4.1 m on Monday and at 5.6 m on Thursday." },
  { id: "r2", kind: "reading", text: "The Almere spillway carried no water on any day of the week." },
  {
    id: "r3",
    kind: "reading",
    text: "Rain at the Almere dam: 12 mm on Tuesday, 61 mm on Wednesday, none on Thursday.",
  },
  {
    id: "p1",
    kind: "report",
    text: "Wardens of Almere opened the lower gate by a hand's width on Wednesday night.",
  },
  {
    id: "p2",
    kind: "report",
    text: "A farmer below the dam says that the spillway of Almere roared all night.",
  },
  {
    id: "p3",
    kind: "report",
    text: "The wardens walked to the spillway on Thursday morning and found it dry.",
  },
];
