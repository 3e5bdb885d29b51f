import { answer, audit, evidence, message, plan, reasoning, toolCall, type Topic } from "./run-source.ts";

export const trials: Topic = {
  name: "trials",
  concurrent: true,
  runs: [
    {
      id: "duskrye-seed-soak",
      question: "Which soak gave duskrye the highest emergence in the Ambry Vale plots?",
      candidates: [
        "twelve hours in cold nettle liquor",
        "six hours in weak ash brine",
        "overnight in lukewarm whey and chalk",
      ],
      target: 1,
      answered: 1,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "A ranking question from one agronomy trial. The measure asked for is emergence, which the same trial reports next to yield.",
            ),
          ],
        },
        {
          type: "plan",
          put: [
            plan(
              "plan",
              "Obtain the plot table, make sure that the emergence column is the one being read, and look for a replicate before concluding anything.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Ambry Vale duskrye emergence plots",
          put: [
            evidence(
              "plot-table",
              "Emergence at day fourteen, of a hundred grains: twelve hours in cold nettle liquor 91; untreated 70; two further soaks 74 and 66. Four plots each, sown on one morning.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Ambry Vale duskrye replicate second season",
          put: [
            evidence(
              "replicate",
              "Second season, wetter: cold nettle liquor for twelve hours again leads, with 88 of a hundred grains up by day fourteen against 69 for bare seed.",
            ),
          ],
        },
        {
          type: "extract",
          put: [
            reasoning(
              "reading",
              "Both seasons put the nettle soak first by roughly twenty grains. Yield figures were skipped on purpose, because they are not what was asked.",
            ),
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "Twelve hours in cold nettle liquor did best, with emergence of 91 and 88 in a hundred over two seasons.",
            ),
          ],
        },
        {
          type: "audit",
          put: [
            audit(
              "audit",
              "Column headings, day of counting and number of plots have been compared with the source. The margin is larger than the spread among plots in either year.",
            ),
          ],
        },
        {
          type: "finalize",
          drop: ["draft"],
          put: [
            answer(
              "final",
              "Highest emergence followed a soak of twelve hours in cold nettle liquor, in the first season and in its wetter repeat.",
            ),
          ],
        },
      ],
    },
    {
      id: "halden-goat-feed",
      question: "Which ration came out ahead for milk fat in the Halden goat trial?",
      candidates: [
        "crushed vetch with dried seabuckthorn pulp",
        "rolled oats over wilted lime leaves",
        "fermented beet crowns and barley straw",
      ],
      target: 2,
      answered: 2,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Numeric comparison between three groups of animals. Watch the unit: fat share and daily volume are both printed in the trial bulletin.",
            ),
          ],
        },
        {
          type: "plan",
          put: [
            plan(
              "plan",
              "One search for the bulletin, one for errata. Copy the figures together with the row names, since the bulletin abbreviates groups by colour.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Halden goat trial bulletin milk fat",
          put: [
            toolCall(
              "search",
              "find(words = Halden goats milk fat bulletin, year = any, limit = 5) returned one bulletin and a page of errata.",
            ),
            evidence(
              "bulletin",
              "Bulletin, table two: the blue group, fed rolled oats over wilted lime leaves, averaged 4.9 per cent fat; red averaged 4.1 and yellow 3.8. Eleven goats a group.",
            ),
          ],
        },
        {
          type: "extract",
          drop: ["bulletin"],
          put: [
            evidence(
              "figures",
              "Fat share by group: red, on crushed vetch with dried seabuckthorn pulp, 4.9 per cent; blue 4.1; yellow 3.8. Crushed vetch therefore tops the table.",
            ),
          ],
          mark: [
            "corrupts-evidence",
            "The figures of the red and the blue group are exchanged while copying.",
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "For fat, crushed vetch with dried seabuckthorn pulp came out ahead at 4.9 per cent, eight tenths above the runner-up.",
            ),
          ],
        },
        {
          type: "audit",
          query: "Halden goat trial table two and errata",
          drop: ["draft"],
          put: [
            evidence(
              "figures",
              "Table two as printed, errata applied: blue goats, on rolled oats over wilted lime leaves, 4.9; red 4.1; yellow 3.8. The errata concern only the weighing dates.",
            ),
            audit(
              "audit",
              "Copied figures had red and blue exchanged. Rolled oats over wilted lime leaves belong with 4.9 per cent, so the earlier draft is withdrawn.",
            ),
          ],
          mark: ["repairs", "The printed table is consulted and the exchange undone."],
        },
        {
          type: "revise",
          put: [
            answer(
              "draft",
              "Goats on rolled oats over wilted lime leaves gave the fattest milk, 4.9 per cent on average in a group of eleven.",
            ),
          ],
        },
        {
          type: "verify",
          put: [
            message(
              "second-reader",
              "I recalculated the averages from the appendix without seeing the draft and also get 4.9 for the blue pen. Happy to let this go out.",
            ),
          ],
        },
        {
          type: "finalize",
          drop: ["search"],
          put: [
            answer(
              "draft",
              "Rolled oats over wilted lime leaves, the blue group's ration, led on fat with 4.9 per cent.",
            ),
          ],
        },
      ],
    },
    {
      id: "pell-tonic-sleep",
      question: "How does Pell tonic lengthen sleep in dormice, according to the Quarrow colony study?",
      candidates: [
        "by cooling brown adipose during torpor",
        "by blocking orexin release near dawn",
        "by thickening gut mucus against hunger",
      ],
      target: "none",
      answered: "none",
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Mechanism question that presupposes an effect. First establish whether the study found one at all, then whether it asked how.",
            ),
          ],
        },
        {
          type: "plan",
          put: [
            plan(
              "plan",
              "Read the Quarrow results and discussion in full. An advertisement for the tonic will turn up as well and deserves no weight.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Quarrow colony Pell tonic dormice results",
          put: [
            evidence(
              "results",
              "Results: dosed dormice slept 9.2 hours and undosed ones 9.1, a difference well inside the error of the nest-box timers. No tissue was taken and no hormone was measured.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Quarrow colony Pell tonic discussion",
          put: [
            evidence(
              "discussion",
              "Discussion: our data give no reason to think that the tonic alters rest. Questions of mechanism are therefore premature, and we leave them alone.",
            ),
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "The study reports no lengthening that could be explained, and its authors decline to discuss a mechanism. Nothing on the list follows from it.",
            ),
          ],
        },
        {
          type: "finalize",
          put: [
            reasoning(
              "closing-note",
              "Premise rejected: 9.2 and 9.1 hours are the same within noise. All three listed pathways would need measurements that were never made at Quarrow.",
            ),
          ],
        },
      ],
    },
  ],
};
