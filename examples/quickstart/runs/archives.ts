import { answer, audit, evidence, message, plan, reasoning, type Topic } from "./run-source.ts";

export const archives: Topic = {
  name: "archives",
  concurrent: false,
  runs: [
    {
      id: "saltmarket-bell",
      question: "Who paid for the recasting of the great bell of Saltmarket after the Lammas fire?",
      candidates: [
        "the widow Ysolde Tarrant from her dowry",
        "the guild of lamp oil carriers",
        "a penny levy on upstream barges",
      ],
      target: 2,
      answered: 2,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "An archival question about money. Receipts and account rolls are to be preferred to inscriptions, which flatter whoever ordered them.",
            ),
          ],
        },
        {
          type: "plan",
          put: [
            plan(
              "plan",
              "Start with the vestry accounts of the two years following the fire; move on to chronicles only where the accounts are silent.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Saltmarket vestry accounts bell recasting",
          put: [
            evidence(
              "vestry-accounts",
              "Vestry accounts, folio 31: received of the guild of lamp oil carriers forty crowns, being the whole charge for recasting the great bell, with carriage from the foundry.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Saltmarket chronicle bell",
          put: [
            evidence(
              "chronicle",
              "Chronicle of the priory: in that year the great bell was hung anew, and at its first ringing a widow of the parish gave bread to all who came.",
            ),
          ],
        },
        {
          type: "extract",
          put: [
            reasoning(
              "reading",
              "Folio 31 names payer, sum and purpose at once: forty crowns from the guild of lamp oil carriers, for the whole charge. The chronicle speaks of bread and not of metal.",
            ),
          ],
        },
        {
          type: "draft",
          meanwhile: {
            drop: ["vestry-accounts", "reading", "chronicle"],
            put: [
              message(
                "compaction",
                "Earlier material was condensed to save room: accounts and a chronicle were consulted about the bell, and a payment of forty crowns was found on one folio.",
              ),
            ],
          },
          put: [
            answer(
              "draft",
              "Someone paid forty crowns for the bell. The widow Ysolde Tarrant may be meant, since a widow fed the parish at its first ringing and her dowry was ample.",
            ),
          ],
          mark: [
            "corrupts-evidence",
            "After the condensing lost the payer's name, the draft fills the gap with the widow.",
          ],
        },
        {
          type: "audit",
          put: [
            audit(
              "audit",
              "May be meant is not a finding. The condensed notes keep a sum and lose a name; folio 31 must be fetched again before anybody is credited.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Saltmarket vestry accounts folio 31",
          put: [
            evidence(
              "folio-31",
              "Folio 31, transcribed anew: of the guild of lamp oil carriers, forty crowns in full for the great bell. Witnessed by the clerk and two carriers of the guild.",
            ),
          ],
          mark: ["repairs", "The entry that names the payer is back in the working state."],
        },
        {
          type: "revise",
          drop: ["draft", "audit"],
          put: [
            answer(
              "draft",
              "Payment came from the guild of lamp oil carriers, who met the entire charge of forty crowns.",
            ),
          ],
          mark: ["repairs", "The guess about the widow gives way to the payer on the folio."],
        },
        {
          type: "finalize",
          drop: ["compaction"],
          put: [
            answer(
              "draft",
              "The lamp oil carriers' guild paid, in full: forty crowns, entered on folio 31 and witnessed by members of the guild.",
            ),
          ],
        },
      ],
    },
    {
      id: "morrow-charter-hiding",
      question: "Where was the Morrow charter kept during the nine years of the Quiet Siege?",
      candidates: [
        "sewn into a saddler's spare collar",
        "under the threshing floor at Nunholt",
        "inside a hollowed loaf mould, bricked up",
      ],
      target: 3,
      answered: 3,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Whereabouts of a document over a stated span. Statements by those who hid it and by those who uncovered it should match.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Morrow charter Quiet Siege baker deposition",
          put: [
            evidence(
              "deposition",
              "Deposition of the baker's daughter: my father laid the charter inside a hollowed loaf mould and bricked it up behind the oven on the night the gates were shut.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Morrow charter mason receipt",
          put: [
            evidence(
              "mason-receipt",
              "Mason's receipt, ninth year: for opening the wall behind the oven and lifting out one loaf mould, hollowed, bricked up these nine years, the contents dry.",
            ),
          ],
        },
        {
          type: "extract",
          put: [
            reasoning(
              "match",
              "Hiding and recovery agree on the oven wall, the mould and the span. Two witnesses of different trades, neither of whom quotes the other.",
            ),
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "It lay inside a hollowed loaf mould, bricked up behind the baker's oven from the closing of the gates until the mason opened the wall.",
            ),
          ],
        },
        {
          type: "audit",
          put: [
            audit(
              "audit",
              "Receipt date and deposition date bracket the siege. The possibility of a copy was considered; the deposition describes the wax seal, so this was the original.",
            ),
          ],
        },
        {
          type: "finalize",
          drop: ["draft"],
          put: [
            answer(
              "final",
              "For all nine years the charter was inside a hollowed loaf mould, bricked up behind an oven, and came out dry.",
            ),
          ],
        },
      ],
    },
    {
      id: "gannel-bridge-builder",
      question: "Who designed the twin arches of the Gannel footbridge?",
      candidates: [
        "Perrin Oakshade, surveyor to the salt board",
        "Maude Ellerby, formerly a ship's carpenter",
        "the mason brothers Tolliver from Ash Quay",
      ],
      target: "none",
      answered: 1,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Attribution question. An attribution wants a signed drawing, a contract, or a payment that mentions the design.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Gannel footbridge contract drawings",
          put: [
            evidence(
              "catalogue",
              "Catalogue entry: drawings of the footbridge, unsigned, two sheets, water stains along the lower edge. The contract itself was burnt with the toll house.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Gannel footbridge toll minutes",
          put: [
            evidence(
              "minutes",
              "Toll minutes: resolved to thank the person who drew the arches. The name is left blank in the fair copy and the rough copy has not survived.",
            ),
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "Perrin Oakshade, surveyor to the salt board, drew the arches. As its surveyor he saw to most works of the salt board in those decades.",
            ),
          ],
          mark: [
            "corrupts-evidence",
            "A blank in the minutes is filled with a name that no document mentions.",
          ],
        },
        {
          type: "audit",
          put: [
            audit(
              "audit",
              "A surveyor of the board is a plausible person for such a commission. Spelling of Oakshade compared with other indexes and found consistent.",
            ),
          ],
        },
        {
          type: "finalize",
          drop: ["audit"],
          put: [
            answer(
              "draft",
              "The footbridge's arches are by Perrin Oakshade, who was surveyor to the salt board when they were put up.",
            ),
          ],
        },
      ],
    },
  ],
};
