import { answer, audit, evidence, plan, reasoning, type Topic } from "./run-source.ts";

export const council: Topic = {
  name: "council",
  concurrent: true,
  runs: [
    {
      id: "stallwright-bylaw",
      question: "What does Stallwright bylaw nine require of traders who arrive after the noon bell?",
      candidates: [
        "a pledge of two silver weights",
        "standing outside the chalk ring until dusk",
        "sharing a pitch with an earlier comer",
      ],
      target: 2,
      answered: 3,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Reading of a rule. The wording in force matters, and custom counts only where the wording leaves a gap.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Stallwright bylaw nine text in force",
          put: [
            evidence(
              "bylaw-text",
              "Bylaw nine, in force: whoever comes after the noon bell shall trade standing outside the chalk ring until dusk, and may not cross it for any purpose but water.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Stallwright market customs handbook",
          put: [
            evidence(
              "handbook",
              "Handbook for newcomers: people here are kind to stragglers. Ask about, and somebody with a pitch to spare may make room beside the pump.",
            ),
          ],
        },
        {
          type: "extract",
          drop: ["bylaw-text"],
          put: [
            evidence(
              "extract",
              "Bylaw nine deals with late arrivals and sets a condition for them, with one exception. The handbook adds some friendly advice for strangers.",
            ),
          ],
          mark: ["loses-evidence", "The condition itself is reduced to the statement that there is one."],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "Late traders must make do by sharing a pitch with an earlier comer, if the handbook's advice on stragglers is any guide to the rule.",
            ),
          ],
          mark: ["corrupts-evidence", "Friendly advice from a handbook is promoted to a legal duty."],
        },
        {
          type: "audit",
          put: [
            audit(
              "audit",
              "Tone and length are suitable. The draft is consistent with the handbook, and the extract says nothing that would forbid the reading.",
            ),
          ],
        },
        {
          type: "finalize",
          drop: ["draft"],
          put: [
            answer(
              "final",
              "Under bylaw nine such a trader has to share: sharing a pitch with an earlier comer is the condition of selling at all.",
            ),
          ],
        },
      ],
    },
    {
      id: "quillet-toll-exemption",
      question: "Which travellers pass the Quillet gate without paying toll?",
      candidates: [
        "midwives riding out after curfew",
        "drovers with fewer than seven geese",
        "apprentices carrying their masters' tools home",
      ],
      target: 1,
      answered: 1,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Exemption from a charge. The current tariff board decides; repealed boards are known to hang in the museum and circulate as pictures.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Quillet gate tariff board current",
          put: [
            evidence(
              "tariff-board",
              "Tariff board now hanging: free of toll are midwives riding out after curfew, and nobody else. All others pay at the hatch, children half.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Quillet gate tariff board picture",
          put: [
            evidence(
              "museum-picture",
              "Museum picture, board repealed long ago: drovers with geese pay nothing while they count fewer than seven. Caption and date are on the back.",
            ),
          ],
        },
        {
          type: "audit",
          drop: ["tariff-board"],
          put: [
            audit(
              "audit",
              "Two boards were on file and one had to go. The picture is sharper, so it stays: exempt are drovers with fewer than seven geese. Fewer than seven, not seven.",
            ),
          ],
          mark: ["corrupts-evidence", "The board in force is discarded and the repealed one kept."],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "Drovers with fewer than seven geese go through free of charge; at seven the toll begins.",
            ),
          ],
        },
        {
          type: "revise",
          query: "Quillet gate board on site today",
          drop: ["audit", "museum-picture"],
          put: [
            answer(
              "draft",
              "Only midwives riding out after curfew pass free. The goose rule was repealed and survives as a museum piece.",
            ),
            evidence(
              "gatekeeper",
              "Gatekeeper, asked today: midwives, when they are riding out after curfew. I have it on the board behind me and there is a single line on it.",
            ),
          ],
          mark: ["repairs", "The gatekeeper's reading of the present board replaces the repealed one."],
        },
        {
          type: "finalize",
          put: [
            reasoning(
              "closing-note",
              "One exemption in force, confirmed on site. The clearer photograph misled us because sharpness was taken for validity.",
            ),
          ],
        },
      ],
    },
  ],
};
