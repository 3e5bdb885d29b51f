import { answer, audit, evidence, plan, reasoning, type Topic } from "./run-source.ts";

export const waterworks: Topic = {
  name: "waterworks",
  concurrent: true,
  runs: [
    {
      id: "tarn-hollow-pressure",
      question:
        "What caused the pressure drop that the upper terraces of Tarn Hollow reported on the third night of the Reed Fair?",
      candidates: [
        "a cracked float collar in the north standpipe",
        "silt packed against the eastern intake screen",
        "a bypass gate left open at the tannery",
      ],
      target: 2,
      answered: 2,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Cause question about one night in a small gravity-fed supply. A record made on the spot outweighs later talk.",
            ),
          ],
        },
        {
          type: "plan",
          put: [
            plan(
              "plan",
              "Find what the night watch wrote first, then whatever the repair crew noted the following morning, and see whether the two agree.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Tarn Hollow watch log Reed Fair third night",
          put: [
            evidence(
              "watch-log",
              "Watch log: gauges on the upper terraces fall from 3.1 to 1.4 bar shortly after ten. Lantern round of the mains finds every joint dry. Nobody has touched a valve since noon.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Tarn Hollow repair crew report morning after",
          put: [
            evidence(
              "crew-report",
              "Crew report, next morning: silt was packed against the eastern intake screen to the depth of a hand. Twenty minutes after we raked it away the terraces were back at 3 bar.",
            ),
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "Silt packed against the eastern intake screen choked the supply; raking it off brought the terraces back to their usual gauge reading.",
            ),
          ],
        },
        {
          type: "finalize",
          drop: ["draft"],
          put: [
            answer(
              "final",
              "The crew found silt packed against the eastern intake screen, and the gauges recovered as soon as it was cleared. Nothing in the watch log speaks against that.",
            ),
          ],
        },
      ],
    },
    {
      id: "ospel-fountain-colour",
      question: "Why did the Ospel market fountain run red for two days after the spring thaw?",
      candidates: [
        "ochre clay washed down from the upper quarry",
        "iron flakes shed by the new riser pipe",
        "madder dye spilled above the feed channel",
      ],
      target: 1,
      answered: 2,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "The user wants one physical explanation for a discoloured fountain. Laboratory findings count more than expectations voiced in letters.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Ospel fountain sampling sheet",
          put: [
            evidence(
              "sampling-sheet",
              "Sampling sheet, day two: the red matter settles within the hour as a soft film. Under the glass it is ochre clay, washed down from the upper quarry when meltwater cut through the spoil heap.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Ospel fountain pipefitter letter",
          put: [
            evidence(
              "pipefitter-letter",
              "Letter from the pipefitter: the riser went in last autumn, and fresh metal often tints a basin for a week. I have not been back to look at this one.",
            ),
          ],
        },
        {
          type: "extract",
          drop: ["sampling-sheet"],
          put: [
            evidence(
              "notes",
              "Notes: the sampling sheet describes a sediment examined under magnification; the pipefitter writes about recent fittings. Both expect the tint to fade by itself.",
            ),
          ],
          mark: [
            "loses-evidence",
            "The notes say that a sediment was examined and leave out what it turned out to be.",
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "The pipefitter's remark fits the timing: iron flakes shed by the new riser pipe would colour the basin and vanish within days.",
            ),
          ],
          mark: [
            "corrupts-evidence",
            "With the finding gone, an expectation from a letter is stated as the cause.",
          ],
        },
        {
          type: "audit",
          put: [
            audit(
              "audit",
              "Each claim in the draft was looked up in the notes. The timing is consistent with a fitting installed in autumn, and no statement in them is at odds with it.",
            ),
          ],
        },
        {
          type: "finalize",
          drop: ["draft"],
          put: [
            answer(
              "final",
              "It was iron: flakes shed by the new riser pipe tinted the basin until the metal had been rinsed clean.",
            ),
          ],
        },
      ],
    },
    {
      id: "brinewell-pump-seal",
      question: "Which seal did the Brinewell trial station finally keep in its third lift pump?",
      candidates: [
        "the braided flax gland soaked in tallow",
        "the split rubber ring from Corvane Works",
        "the bronze labyrinth bush with graphite grooves",
      ],
      target: 3,
      answered: 3,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Asks for the end result of a comparison at one station. An interim favourite would be the wrong thing to report.",
            ),
          ],
        },
        {
          type: "plan",
          put: [
            plan(
              "plan",
              "Read the station's test ledger through to its last page, and use visitors' reports only to date the changes.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Brinewell station test ledger lift pump three",
          put: [
            evidence(
              "ledger",
              "Ledger, closing entry: after forty weeks the bronze labyrinth bush with graphite grooves leaks four drops a minute and stays in pump three. Everything tried before it goes back to the store.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "visitors' accounts of the Brinewell seals",
          put: [
            evidence(
              "visitor-report",
              "A visitor in week nine: the engineers are delighted with the ring that Corvane sent them and speak of fitting it everywhere before the winter.",
            ),
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "The station settled on the split rubber ring from Corvane Works. The engineers' delight in the ring is on record, and Corvane Works supplied enough of it for every pump.",
            ),
          ],
          mark: [
            "corrupts-evidence",
            "A favourite of week nine is passed off as the result of the whole comparison.",
          ],
        },
        {
          type: "audit",
          put: [
            audit(
              "audit",
              "Dates do not line up. The visitor wrote in week nine, whereas the ledger closes in week forty; a preference that early cannot be the outcome. Send back.",
            ),
          ],
        },
        {
          type: "revise",
          put: [
            answer(
              "draft",
              "By the ledger's closing entry, the bronze labyrinth bush with graphite grooves stayed in pump three after forty weeks. The bronze bush leaked least of all that was tried.",
            ),
          ],
          mark: ["repairs", "The draft goes back to the closing entry of the ledger."],
        },
        {
          type: "finalize",
          drop: ["audit"],
          put: [
            reasoning(
              "closing-note",
              "Visitor's enthusiasm explained as an early impression; the answer rests on the last ledger page, where graphite grooves and a labyrinth bush of bronze are named outright.",
            ),
          ],
        },
      ],
    },
  ],
};
