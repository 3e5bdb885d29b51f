import { answer, audit, evidence, message, plan, reasoning, type Topic } from "./run-source.ts";

export const skies: Topic = {
  name: "skies",
  concurrent: false,
  runs: [
    {
      id: "green-arc-first-sighting",
      question: "Which station was first to record the Green Arc of the year 212?",
      candidates: [
        "Pallin Crag with its copper sextant",
        "the balloon post over Errisay Sound",
        "Sister Oda's roof at Meln Priory",
      ],
      target: 3,
      answered: 3,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Priority question. Clock times from different places need a common reference before they can be ranked.",
            ),
          ],
        },
        {
          type: "plan",
          put: [
            plan(
              "plan",
              "Collect all entries of that evening, reduce them to the reference meridian, and report the earliest one by its full name.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Green Arc 212 station times",
          put: [
            evidence(
              "times",
              "Times on the reference meridian: Sister Oda's roof at Meln Priory, 21:04; second place, 21:31; third place, 22:10. Cloud covered the remaining posts until midnight.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Green Arc 212 local clock notes",
          put: [
            evidence(
              "clock-notes",
              "Local clocks before reduction: Pallin Crag wrote 20:58, but its clock ran thirty-three minutes behind, as was found when it was compared at the solstice.",
            ),
          ],
        },
        {
          type: "extract",
          put: [
            reasoning(
              "ranking",
              "After reduction Meln Priory leads by twenty-seven minutes: Sister Oda's roof, 21:04. The crag's early figure is a slow clock and nothing more.",
            ),
          ],
        },
        {
          type: "audit",
          drop: ["times", "ranking"],
          put: [
            audit(
              "audit",
              "Smallest figure in the notes is 20:58, at Pallin Crag with its copper sextant. Ranking corrected accordingly: Pallin Crag first, by virtue of its sextant of copper.",
            ),
          ],
          mark: [
            "corrupts-evidence",
            "The unreduced time is read as the earliest, and the reduced table is thrown out.",
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "Earliest of all was Pallin Crag, which caught the arc at 20:58 with its copper sextant.",
            ),
          ],
        },
        {
          type: "revise",
          query: "Green Arc 212 reduced times",
          drop: ["audit"],
          put: [
            answer(
              "draft",
              "First to record it was Sister Oda's roof at Meln Priory, 21:04 on the reference meridian; 20:58 had come from a slow clock.",
            ),
            evidence(
              "reduced-times",
              "Reduced times, fetched again: Sister Oda's roof at Meln Priory leads with 21:04, the crag follows at 21:31 once its clock error is added.",
            ),
          ],
          mark: ["repairs", "Reduced times are fetched again and the priory regains its place."],
        },
        {
          type: "finalize",
          drop: ["clock-notes"],
          put: [
            message(
              "hand-over",
              "Ready for the almanac. Credit goes to the roof at Meln Priory, where Sister Oda kept watch; the reduction is attached for whoever doubts it.",
            ),
          ],
        },
      ],
    },
    {
      id: "ember-plateau-frost",
      question: "What explains the midsummer frost recorded on the Ember Plateau?",
      candidates: [
        "volcanic haze dimming the noon sun",
        "a faulty alcohol thermometer, misread twice",
        "cold air draining from glacier caves",
      ],
      target: 3,
      answered: 3,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Explanation of an odd observation. Decide first whether it was real, since instrument trouble is among the suspects.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Ember Plateau midsummer frost field party",
          put: [
            evidence(
              "field-party",
              "Field party: threads of smoke showed cold air draining from the glacier caves onto the plateau after sunset, and the grass whitened along exactly that stream.",
            ),
          ],
        },
        {
          type: "extract",
          drop: ["field-party"],
          put: [
            evidence(
              "extract",
              "A field party visited after the event, made some observations with smoke in the evening, and also noted the state of the vegetation.",
            ),
          ],
          mark: [
            "loses-evidence",
            "Which air moved, and from where, is replaced by a remark that something was observed.",
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "The frost appears to have been real. A field party looked into it, although the material at hand does not tell what they concluded.",
            ),
          ],
        },
        {
          type: "verify",
          query: "Ember Plateau smoke thread experiment",
          put: [
            evidence(
              "smoke-plate",
              "Plate and caption: smoke lies flat along a tongue of cold air draining out of the glacier caves. Beneath the tongue frost, a step aside warm turf.",
            ),
          ],
          mark: ["repairs", "A second source for the experiment supplies what the extract left out."],
        },
        {
          type: "revise",
          put: [
            answer(
              "draft",
              "Cold air draining from glacier caves explains it. Smoke made the stream visible, and frost lay nowhere else.",
            ),
          ],
        },
        {
          type: "finalize",
          drop: ["extract"],
          put: [
            reasoning(
              "closing-note",
              "Haze would have chilled the entire plateau and a bad thermometer would not have whitened grass; draining cave air accounts for the narrow strip.",
            ),
          ],
        },
      ],
    },
    {
      id: "pale-dust-origin",
      question: "What was the pale dust that settled on Corrow after the windless week?",
      candidates: [
        "pollen from the flowering stone pines",
        "flour blown out of Hebble mill",
        "ground shell lime used on orchards",
      ],
      target: 1,
      answered: 1,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Identification of a material. A microscope slide or a simple chemical test would settle it; opinions on the street would not.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Corrow pale dust slide school laboratory",
          put: [
            evidence(
              "slide",
              "School laboratory, slide four: grains with two air sacs each, which is pollen, and from the stone pines, flowering then on the ridge. No starch stain, no fizz in vinegar.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Corrow flowering calendar",
          put: [
            evidence(
              "calendar",
              "Flowering calendar kept by the schoolchildren: stone pines opened two days before the calm ended, their pollen drifting down the ridge like smoke.",
            ),
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "It was pollen from the flowering stone pines: the grains bear air sacs, and the trees had opened that very week.",
            ),
          ],
        },
        {
          type: "audit",
          put: [
            audit(
              "audit",
              "Iodine left the sample uncoloured and acid raised no bubbles, so two rival materials are out. Shape and season support the draft.",
            ),
          ],
        },
        {
          type: "finalize",
          drop: ["draft"],
          put: [
            answer(
              "final",
              "Corrow's dust was pollen, shed by the stone pines flowering on the ridge and left to settle by the calm.",
            ),
          ],
        },
      ],
    },
  ],
};
