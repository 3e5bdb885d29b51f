import { answer, audit, evidence, message, plan, reasoning, toolCall, type Topic } from "./run-source.ts";

export const workshops: Topic = {
  name: "workshops",
  concurrent: true,
  runs: [
    {
      id: "lissom-glaze-crazing",
      question: "What stopped the crazing of the Lissom pottery's celadon bowls?",
      candidates: [
        "adding crushed flint to the body",
        "cooling the kiln behind closed dampers",
        "sieving the slip through horsehair twice",
      ],
      target: 1,
      answered: 1,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Process question from a pottery. Several remedies were tried over a year and the one that lasted is being asked for.",
            ),
          ],
        },
        {
          type: "plan",
          put: [
            plan(
              "plan",
              "Firing book first, then the potter's letters. Note for each remedy how many bowls survived the autumn without a crackle.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Lissom pottery firing book celadon",
          put: [
            evidence(
              "firing-book",
              "Firing book, kiln 40 to kiln 46: since adding crushed flint to the body, no bowl has crackled. Two hundred and ten pieces, all sound after the first frosts.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Lissom potter letters crazing",
          put: [
            evidence(
              "letters",
              "Letter of midsummer: I have great hopes for cooling more gently and mean to leave the dampers shut next time. I shall tell you what comes of it.",
            ),
          ],
        },
        {
          type: "extract",
          drop: ["firing-book"],
          put: [
            evidence(
              "extract",
              "Firing book: seven consecutive kilns are recorded, with a total of two hundred and ten pieces and remarks on their condition after frost.",
            ),
          ],
          mark: ["loses-evidence", "Counts are kept, the remedy to which they belong is not."],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "The remedy was cooling the kiln behind closed dampers. Closed dampers made for gentle cooling, and seven kilns in a row then came through the frost.",
            ),
          ],
          mark: [
            "corrupts-evidence",
            "The good counts are attached to a remedy that its inventor had only hoped for.",
          ],
        },
        {
          type: "audit",
          put: [
            audit(
              "audit",
              "The letter states an intention. Nothing at hand says that the slow cooling was ever carried out, let alone in those seven kilns.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Lissom firing book kilns 40 to 46 remarks column",
          put: [
            toolCall(
              "open",
              "open(item = Lissom firing book, rows = 40..46, columns = recipe, count, remarks), seven rows returned without gaps",
            ),
            evidence(
              "firing-rows",
              "Rows 40 to 46, recipe column: adding crushed flint to the body, one part in nine. Remarks column: sound, sound, sound, and so on down to the last kiln.",
            ),
          ],
          mark: ["repairs", "The recipe column brings back the remedy behind the counts."],
        },
        {
          type: "revise",
          drop: ["audit"],
          put: [
            answer(
              "draft",
              "Adding crushed flint to the body stopped it: one part in nine, and seven kilns passed the frost without a crackle.",
            ),
          ],
          mark: ["repairs", "The answer now follows the recipe column."],
        },
        {
          type: "verify",
          put: [
            message(
              "potter",
              "Quite right about the flint. The dampers were a midsummer fancy of mine that I gave up before I ever lit a kiln on it.",
            ),
          ],
        },
        {
          type: "finalize",
          drop: ["open", "letters"],
          put: [
            answer(
              "draft",
              "Crushed flint, added to the body at one part in nine, put an end to the crackle; the potter confirms it.",
            ),
          ],
        },
      ],
    },
    {
      id: "ottery-organ-bass",
      question: "What gave the Ottery parlour organ its unusually soft bass?",
      candidates: [
        "felted pallets cut from hat blanks",
        "doubled bellows driven by a treadle",
        "reeds filed hollow near the root",
      ],
      target: 3,
      answered: 3,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Instrument-making question; the trait lies in one register only, so features shared by the whole organ explain little.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Ottery reed organ restoration report",
          put: [
            evidence(
              "restoration",
              "Restoration report: in the lowest octave the reeds are filed hollow near the root, which takes the bite from their attack. Reeds above that octave are left flat.",
            ),
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "Bass reeds filed hollow near the root. The treatment stops where the lowest octave ends, as does the softness.",
            ),
          ],
        },
        {
          type: "verify",
          query: "Ottery reed organ maker's sketch",
          put: [
            evidence(
              "sketch",
              "Maker's sketch of a bass reed in section, hollow drawn near the root and beside it in pencil: file here until she stops barking.",
            ),
          ],
        },
        {
          type: "finalize",
          put: [
            reasoning(
              "closing-note",
              "Restorer and maker describe the same filing at the same spot, and it is confined to the register in question. Answer stands.",
            ),
          ],
        },
      ],
    },
    {
      id: "crowle-bread-mould",
      question: "Which habit kept the Crowle bakery's travel bread free of mould for six weeks?",
      candidates: [
        "wrapping each loaf in waxed sorrel",
        "baking twice under a lidded crock",
        "dusting the crust with burnt salt",
      ],
      target: 2,
      answered: 2,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Keeping quality of one product. Controlled comparison preferred, because the bakery had more than one unusual habit.",
            ),
          ],
        },
        {
          type: "plan",
          put: [
            plan(
              "plan",
              "See whether anyone stored loaves with and without each habit side by side. Failing that, use the drovers' reports from the road.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Crowle bakery storage comparison",
          put: [
            evidence(
              "comparison",
              "Storage comparison, six weeks in one cellar: loaves from baking twice under a lidded crock stayed clean; loaves baked once grew fur by day ten, whatever was done to their outsides.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Crowle bakery drovers' reports",
          put: [
            evidence(
              "drovers",
              "A drover's report: the sorrel smell of the wrapping tells you it is Crowle bread a mile off. We never lost a loaf between the fells and the coast.",
            ),
          ],
        },
        {
          type: "draft",
          drop: ["comparison"],
          put: [
            answer(
              "draft",
              "Wrapping each loaf in waxed sorrel kept it clean on the road. Waxed sorrel around each loaf shut out the damp between fells and coast.",
            ),
          ],
          mark: [
            "corrupts-evidence",
            "What drovers could smell is turned into the cause, and the cellar comparison is set aside.",
          ],
        },
        {
          type: "audit",
          put: [
            audit(
              "audit",
              "A wrapper that all loaves shared cannot tell us why they kept. Was there not a comparison in one cellar? It is missing from the bundle now.",
            ),
          ],
        },
        {
          type: "verify",
          query: "Crowle bakery cellar comparison table",
          drop: ["draft", "drovers"],
          put: [
            evidence(
              "cellar-table",
              "Cellar table: clean after six weeks, twenty of twenty from baking twice under a lidded crock, none of twenty from a single bake in an open oven.",
            ),
            reasoning(
              "correction",
              "Twenty against none leaves little doubt: it was baking twice, the crock lidded, that kept fur away. The outer leaf was on both kinds.",
            ),
          ],
          mark: ["repairs", "The comparison is brought back and the wrapper is ruled out by it."],
        },
        {
          type: "finalize",
          drop: ["audit"],
          put: [
            answer(
              "final",
              "Baking twice under a lidded crock did it; every loaf so treated was still clean after six weeks in the cellar.",
            ),
          ],
        },
      ],
    },
  ],
};
