/** A note in the archive of the tide mill. The mill, its people and its numbers are invented. */
export interface Note {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export const notes: readonly Note[] = [
  {
    id: "wheel-repair",
    title: "Repair of the wheel",
    text: "In the spring of 1897 the oak wheel of the Fenmoor tide mill was replaced by one of larch, because the oak had split in the frost.",
  },
  {
    id: "wheel-rumour",
    title: "What they say at the inn",
    text: "At the inn they say that the new wheel is of iron, from the foundry at Harle. Nobody there has seen it.",
  },
  {
    id: "grain-book",
    title: "Grain book, 1903",
    text: "Barley is ground on the ebb, wheat on the flood. In March the mill took in 212 sacks of barley and 87 of wheat.",
  },
  {
    id: "grain-summary",
    title: "Summary of the year 1903",
    text: "The year's best month was May, with 340 sacks in all. Wheat brought more money than barley.",
  },
  {
    id: "keeper-list",
    title: "Millers of Fenmoor",
    text: "Tamsin Orle ran the mill from 1889 to 1911. Her nephew Bede Orle ran it after her.",
  },
  {
    id: "sluice-log",
    title: "Sluice log",
    text: "On the night of 9 January 1905 the sluice gate broke. For eleven days nothing was ground.",
  },
  {
    id: "pond-survey",
    title: "Survey of the mill pond",
    text: "The pond holds water for four hours of grinding. Eels come in with the spring tides and are sold at Harle.",
  },
];
