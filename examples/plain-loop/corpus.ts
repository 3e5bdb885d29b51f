/** A document of the small library that the agent searches. The island and its ferries are invented. */
export interface Document {
  readonly title: string;
  readonly text: string;
}

export const corpus: readonly Document[] = [
  {
    title: "Ferries of Orrin",
    text: "The ferry Maren sails from Orrin to the mainland. The ferry Tilde serves the outer skerries.",
  },
  {
    title: "Harbour notes, winter",
    text: "In the winter timetable the last crossing to the mainland leaves Orrin at 18:40.",
  },
  {
    title: "Harbour notes, summer",
    text: "In the summer timetable the last crossing to the mainland leaves Orrin at 21:15.",
  },
  {
    title: "Birds of Orrin",
    text: "Terns nest on the outer skerries and are counted every June.",
  },
];
