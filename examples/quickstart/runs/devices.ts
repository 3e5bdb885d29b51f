import { answer, audit, evidence, plan, reasoning, toolCall, type Topic } from "./run-source.ts";

export const devices: Topic = {
  name: "devices",
  concurrent: false,
  runs: [
    {
      id: "orrin-gauge-drift",
      question: "What made the Orrin tide gauge read eleven millimetres high from its second winter onward?",
      candidates: [
        "barnacle growth inside the stilling tube",
        "a stretched suspension wire on the counterweight",
        "slow tilting of the timber mounting post",
      ],
      target: 1,
      answered: 1,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Fault diagnosis for a recording instrument with a constant offset. Look for inspection findings, then for a test in which the offset vanished.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Orrin tide gauge inspection reports",
          put: [
            evidence(
              "dive-report",
              "Dive report, spring of year three: thick barnacle growth inside the stilling tube, leaving a bore of two fingers. Scraped clean; the reading dropped by eleven millimetres the same tide.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Orrin tide gauge maintenance log year two",
          put: [
            evidence(
              "maintenance-log",
              "Maintenance log, year two: counterweight oiled, clockwork regulated, paper drum replaced. Post sighted against the church tower and found within tolerance.",
            ),
          ],
        },
        {
          type: "extract",
          drop: ["dive-report"],
          put: [
            evidence(
              "summary",
              "Summary of documents: one report by divers, one log of routine care. Work was carried out in years two and three and the station was back in use afterwards.",
            ),
          ],
          mark: [
            "loses-evidence",
            "What the divers found and what happened after the cleaning are both gone.",
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "The documents list routine care without pointing to a fault. The offset began in the second winter and its origin is not stated in the summary.",
            ),
          ],
        },
        {
          type: "audit",
          put: [
            audit(
              "audit",
              "A divers' report is cited but none of its content survives in the working notes. The answer cannot be judged until that report has been read again.",
            ),
          ],
        },
        {
          type: "verify",
          query: "Orrin tide gauge dive report full text",
          put: [
            toolCall(
              "reread",
              "open_document(collection = Orrin harbour papers, item = report of the divers, spring of year three, pages = all)",
            ),
            evidence(
              "dive-report-again",
              "The divers again, in full: barnacle growth inside the stilling tube held the water up between tides. With the tube scraped, the eleven millimetres were gone by evening.",
            ),
          ],
          mark: ["repairs", "The report is opened once more and its finding restored."],
        },
        {
          type: "finalize",
          drop: ["draft", "audit"],
          put: [
            answer(
              "final",
              "Barnacle growth inside the stilling tube caused the offset: it vanished on the day the tube was scraped clean.",
            ),
          ],
        },
      ],
    },
    {
      id: "kestrel-loom-stops",
      question: "Which change ended the random stops of the Kestrel ribbon loom in Fennick's shed?",
      candidates: [
        "a heavier flywheel cast from scrap iron",
        "earthing the comb to bleed off static",
        "slower pay-out from the warp creel",
      ],
      target: 2,
      answered: 2,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Troubleshooting history. Several things were altered in one season; only the one after which stops ceased will do.",
            ),
          ],
        },
        {
          type: "plan",
          put: [
            plan(
              "plan",
              "Line up alterations and stop counts week by week. A remedy has to precede the quiet period and survive being undone once.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Fennick shed Kestrel loom stop tally",
          put: [
            evidence(
              "tally",
              "Stop tally by week, spring quarter: 17, 19, 16, 18, 2, 0, 15, 1, 0. The overseer circles week seven and writes: strap removed for painting.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Fennick shed alterations notebook",
          put: [
            evidence(
              "notebook",
              "Alterations notebook: week five, a copper strap fitted, earthing the comb to bleed off static from the silk. Week two, new belt. Nothing else touched before summer.",
            ),
          ],
        },
        {
          type: "extract",
          put: [
            reasoning(
              "alignment",
              "Stops collapse in week five, return in week seven with the strap off, and vanish again. That tracks the earthing of the comb, which bleeds off static, and not the belt.",
            ),
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "Earthing the comb to bleed off static ended the stops; they came back in the single week when its copper strap was away.",
            ),
          ],
        },
        {
          type: "finalize",
          drop: ["tally"],
          put: [
            answer(
              "draft",
              "It was the earthing of the comb, put in to bleed off static. Undoing it for a week brought fifteen stops, which is as near to a proof as the notebook gets.",
            ),
          ],
        },
      ],
    },
    {
      id: "murmur-recorder-hum",
      question: "Where did the low hum on the Murmur field recorder's dusk recordings originate?",
      candidates: [
        "the cooling fan of a nearby relay hut",
        "resonance between hollow tripod legs in wind",
        "ripple from its own charging coil",
      ],
      target: 3,
      answered: 2,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Source of an unwanted sound. Expect several suspects and prefer whichever test switched the sound on and off at will.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Murmur recorder hum bench test",
          put: [
            evidence(
              "bench-test",
              "Bench test in a padded room: with no wind and no neighbours, the hum persists. It is ripple from the recorder's own charging coil and goes silent when the coil is unplugged.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Murmur recorder hum listener forum",
          put: [
            evidence(
              "listener",
              "A listener writes: I hear it mostly on breezy evenings and would bet on the tripod, mine sings like a flute when it is extended all the way.",
            ),
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "Ripple from its own charging coil: the padded room rules out everything outside the recorder, and unplugging that coil silences it.",
            ),
          ],
        },
        {
          type: "audit",
          put: [
            audit(
              "audit",
              "The bench test isolates one part and shows the effect both ways. The listener only reports a habit of another person's equipment. No objection.",
            ),
          ],
        },
        {
          type: "finalize",
          drop: ["draft", "bench-test"],
          put: [
            answer(
              "final",
              "The hum is resonance between hollow tripod legs in wind. Tripod legs that are hollow sing on breezy evenings, and resonance of this sort is familiar to many who record outdoors.",
            ),
          ],
          mark: [
            "corrupts-evidence",
            "The last rewrite swaps a tested finding for the listener's bet and drops the test.",
          ],
        },
      ],
    },
  ],
};
