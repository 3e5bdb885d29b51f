/** A note of the archive that the agent searches. Islands, people, devices and numbers are invented. */
export interface Note {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export const notes: readonly Note[] = [
  {
    id: "lamp-renewal",
    title: "Renewal of the Skarn light",
    text: "In 1931 the oil lamp of the Skarn light was replaced by an acetylene burner. The green glass was kept, because the council of Vessen wanted sailors to tell it from the white light of Holm.",
  },
  {
    id: "lamp-colours",
    title: "Lights of the Vessen islands",
    text: "Skarn shows a green light, Holm a white one, and Little Vessen a red one. All three are lit from dusk to dawn.",
  },
  {
    id: "keeper-list",
    title: "Keepers of the lights",
    text: "Ada Brunnholt kept the Skarn light from 1926 to 1940. Her cousin Jorun Teig kept Holm in the same years.",
  },
  {
    id: "keeper-letter",
    title: "A letter from Jorun Teig",
    text: "I was at Skarn only in the winter of 1933, when Ada was ill. For those four months the lamp was mine.",
  },
  {
    id: "ferry-winter",
    title: "Ferry, winter timetable",
    text: "From October to March the ferry Little Tern leaves Vessen at 07:50 and returns from the mainland at 16:20.",
  },
  {
    id: "ferry-summer",
    title: "Ferry, summer timetable",
    text: "From April to September the ferry Little Tern leaves Vessen at 06:30, and a second boat, the Grey Tern, at 13:00.",
  },
  {
    id: "kelp-trial",
    title: "The kelp drying trial",
    text: "Three sheds were compared for two seasons. Kelp in the slatted shed dried in 9 days, in the closed shed in 15 days and on the open beach in 12 days, with rain.",
  },
  {
    id: "kelp-summary",
    title: "Newsletter: kelp trial a success",
    text: "The open beach proved best of all in the kelp trial, says the harbour master, who had hoped to save the cost of a shed.",
  },
  {
    id: "well-report",
    title: "Water report for the village well",
    text: "After the storm the village well was brackish for eleven days. Pumping lowered the salt; the chlorine tablets did nothing for it.",
  },
  {
    id: "well-minutes",
    title: "Council minutes on the well",
    text: "The council thanks the school for its chlorine tablets. The well is sweet again since the pump was lent by the dairy.",
  },
  {
    id: "orchard-map",
    title: "Orchards on Holm",
    text: "Holm has two orchards: pears on the south slope and, since 1958, hazel on the north slope. Apples failed in the salt wind.",
  },
  {
    id: "orchard-tale",
    title: "A tale of Holm",
    text: "My grandmother said that apples once grew as far as the north slope of Holm. Nobody living has seen them.",
  },
  {
    id: "school-roll",
    title: "School roll",
    text: "In 1962 the school of Vessen had 41 pupils and two teachers. In 1963 it had 38.",
  },
];
