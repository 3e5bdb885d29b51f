import { answer, evidence, message, plan, toolCall, type Topic } from "./run-source.ts";

export const wardPapers: Topic = {
  name: "ward-papers",
  concurrent: true,
  runs: [
    {
      id: "netmakers-recount",
      question: "Why was the netmakers' guild vote recounted, according to its own papers?",
      candidates: [
        "a ballot urn cracked during transport",
        "two tellers were sworn in late",
        "duplicate tokens surfaced among widows' ballots",
      ],
      target: "none",
      answered: "none",
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Reason for a procedural act, restricted to what the guild itself put on paper. Reports by outsiders fall away.",
            ),
          ],
        },
        {
          type: "plan",
          put: [
            plan(
              "plan",
              "Go through the minute book of that winter, then the correspondence folder, and stop if neither gives a motive.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "netmakers' guild minute book winter vote",
          put: [
            toolCall(
              "search",
              "list(fonds = netmakers, series = minutes, season = winter) gave three meetings, of which the second concerns the vote",
            ),
            evidence(
              "minute-book",
              "Minute book, second meeting: moved and carried that the count be done again. Reasons were heard in closed session and by custom are not entered here.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "netmakers' guild correspondence recount",
          put: [
            evidence(
              "correspondence",
              "Correspondence folder: an invitation, a bill for candles, and a note from the warden asking that the matter be allowed to rest. It mentions no motive.",
            ),
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "The guild's papers order a second count and withhold the grounds. No listed explanation can be drawn from them.",
            ),
          ],
        },
        {
          type: "audit",
          put: [
            message(
              "archivist",
              "I can confirm that the closed session left no record with us. Whoever claims to know the grounds has them from somewhere else.",
            ),
          ],
        },
        {
          type: "finalize",
          drop: ["search"],
          put: [
            answer(
              "draft",
              "Unknown from the guild's own papers: the grounds were heard in closed session and left unwritten, so each listed explanation has to be declined.",
            ),
          ],
        },
      ],
    },
    {
      id: "night-lamp-levy",
      question: "What was the night-lamp levy of Harbour Ward spent on in its second year?",
      candidates: [
        "widening the culvert at Fish Row",
        "pensions for three retired lamplighters",
        "new glass for the ferry beacon",
      ],
      target: 2,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Use of a tax in one year. Budget and outturn differ in this ward, so the audited outturn is what to look for.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Harbour Ward night-lamp levy audited outturn year two",
          put: [
            evidence(
              "outturn",
              "Audited outturn, year two: the levy's proceeds went entirely to pensions for three retired lamplighters, with eleven shillings carried forward.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Harbour Ward night-lamp levy budget year two",
          put: [
            evidence(
              "budget",
              "Budget as proposed, year two: it is hoped to set something aside towards new glass at the beacon, should the ward's pensioners leave enough.",
            ),
          ],
        },
        {
          type: "extract",
          drop: ["outturn"],
          put: [
            evidence(
              "extract",
              "Year two: new glass for the ferry beacon, charged to the levy. Proposed and audited papers have been merged, glass for the beacon being the chief item.",
            ),
          ],
          mark: [
            "corrupts-evidence",
            "Budget and outturn are merged, and a hope appears as an audited expense.",
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "In its second year the levy bought new glass for the ferry beacon, the chief item in the merged papers.",
            ),
          ],
        },
      ],
    },
  ],
};
