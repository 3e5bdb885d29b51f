import { answer, audit, evidence, message, plan, reasoning, toolCall, type Topic } from "./run-source.ts";

export const shipping: Topic = {
  name: "shipping",
  concurrent: true,
  runs: [
    {
      id: "wren-of-asper-cargo",
      question: "What was in the sealed hold of the Wren of Asper when customs opened it at Low Kessel?",
      candidates: [
        "eighty casks of unlicensed juniper spirit",
        "crated organ pipes packed in sawdust",
        "raw amber hidden beneath tarred rope",
      ],
      target: 2,
      answered: 3,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Content of one hold on one day. Customs paperwork made at the opening is decisive; harbour gossip is merely colourful.",
            ),
          ],
        },
        {
          type: "plan",
          put: [
            plan(
              "plan",
              "Search the customs house for the opening protocol and the harbour newspaper for anything that contradicts it.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Low Kessel customs protocol Wren of Asper",
          put: [
            evidence(
              "protocol",
              "Opening protocol: seals intact. Found within, crated organ pipes packed in sawdust, sixty-four in number, for the chapel at Dunmere. Duty remitted, hold closed again at four.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Low Kessel harbour newspaper Wren of Asper",
          put: [
            evidence(
              "newspaper",
              "Harbour newspaper: a crowd gathered, and wagers were laid. Most fancied amber under the rope, given where the vessel had wintered. Officers said nothing.",
            ),
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "Customs found crated organ pipes packed in sawdust, sixty-four of them, bound for a chapel.",
            ),
          ],
        },
        {
          type: "audit",
          put: [
            message(
              "editor",
              "Please shorten. Readers will want the flavour of the day, so bring the crowd forward and let the official paper recede.",
            ),
          ],
        },
        {
          type: "revise",
          drop: ["protocol"],
          put: [
            answer(
              "draft",
              "The seals were whole and duty was remitted, which disappointed those who had laid wagers. What lay inside was taken onward the same evening.",
            ),
          ],
          mark: ["loses-evidence", "Shortening removes the protocol and the only words that name the cargo."],
        },
        {
          type: "finalize",
          put: [
            answer(
              "draft",
              "By the wagers of the quay, raw amber hidden beneath tarred rope was in the sealed hold; where the vessel had wintered makes amber likely.",
            ),
          ],
          mark: ["corrupts-evidence", "A wager fills the place of the cargo that was cut."],
        },
      ],
    },
    {
      id: "tolmer-ferry-delay",
      question: "Why did the Tolmer ferry miss its morning crossings throughout the month of Gleaning?",
      candidates: [
        "drifting reed islands jammed the chain wheel",
        "pilots refused to sail under yellow lanterns",
        "the landing stage sank during night repairs",
      ],
      target: 1,
      answered: 1,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Repeated delay over a month, so a lasting cause is wanted. A single bad morning would not explain all of them.",
            ),
          ],
        },
        {
          type: "plan",
          put: [
            plan(
              "plan",
              "Work from the operator's daybook towards the complaint letters, and count on how many mornings the same reason is given.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Tolmer ferry daybook Gleaning mornings",
          put: [
            toolCall(
              "search",
              "lookup(series = Tolmer ferry daybooks, month = Gleaning, hours = before noon): twenty-two entries, all in one hand.",
            ),
            evidence(
              "daybook",
              "Daybook, nineteen of twenty-two mornings: drifting reed islands jammed the chain wheel; two hours lost to cutting. The remaining three mornings were lost to fog.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Tolmer ferry complaint letters",
          put: [
            evidence(
              "complaints",
              "Complaint letters, a bundle of seven: passengers describe men with sickles in the water and a wheel that would not turn until the sun was high.",
            ),
          ],
        },
        {
          type: "extract",
          put: [
            reasoning(
              "tally",
              "Nineteen mornings go back to reed islands in the chain wheel, three to fog. The letters, though angry, tell the same story from the bank.",
            ),
          ],
        },
        {
          type: "draft",
          meanwhile: {
            drop: ["search", "complaints", "request"],
            put: [
              message(
                "compaction",
                "Older context was folded together. Kept in the original wording: the daybook. Left out: search details and the bundle of complaints.",
              ),
            ],
          },
          put: [
            answer(
              "draft",
              "On nineteen mornings drifting reed islands jammed the chain wheel, and cutting it free took about two hours each time.",
            ),
          ],
        },
        {
          type: "audit",
          put: [
            audit(
              "audit",
              "Counts add up to the twenty-two mornings of the book. Fog accounts for three of them and is rightly left as a side remark.",
            ),
          ],
        },
        {
          type: "verify",
          query: "Tolmer chain wheel wear inspection",
          put: [
            evidence(
              "inspection",
              "Yard inspection in the following month: chain wheel scored and wound with reed from the drifting islands, two teeth bent where it had jammed.",
            ),
          ],
        },
        {
          type: "finalize",
          drop: ["draft", "audit"],
          put: [
            answer(
              "final",
              "Drifting reed islands jammed the chain wheel on almost every morning of the month; the yard later found reed wound round its teeth.",
            ),
          ],
        },
      ],
    },
    {
      id: "harrow-light-fuel",
      question: "What fuel did the Harrow Point light burn in its first decade?",
      candidates: [
        "rendered seal blubber strained through linen",
        "pressed colza bought from Nether Vane",
        "coal gas piped beneath the causeway",
      ],
      target: "none",
      answered: 2,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Historical detail about one lighthouse in one decade. Later decades are well documented and must not be read backwards.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Harrow Point lighthouse first decade stores",
          put: [
            evidence(
              "stores-book",
              "Stores book: begins in year fourteen. A slip pasted inside the cover says that all earlier volumes went down with the tender and were never rewritten.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Harrow Point lighthouse keeper memoir",
          put: [
            evidence(
              "memoir",
              "A keeper's memoir, written in old age: we never asked what they had lit it with before us, and the tank was scrubbed bare when I first saw it.",
            ),
          ],
        },
        {
          type: "extract",
          put: [
            evidence(
              "extract",
              "Stores, earliest volume: pressed colza, bought from Nether Vane in twelve-gallon tins. Colza is taken to have been pressed and bought likewise from the first day onward.",
            ),
          ],
          mark: [
            "corrupts-evidence",
            "A purchase of later years is read backwards into the decade that has no records.",
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "It burned pressed colza bought from Nether Vane, judging by the earliest volume of the stores book.",
            ),
          ],
        },
        {
          type: "finalize",
          drop: ["memoir"],
          put: [
            answer(
              "draft",
              "In its first ten years the light burned colza, pressed and bought from Nether Vane in tins of twelve gallons.",
            ),
          ],
        },
      ],
    },
  ],
};
