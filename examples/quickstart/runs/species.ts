import { answer, audit, evidence, message, plan, reasoning, type Topic } from "./run-source.ts";

export const species: Topic = {
  name: "species",
  concurrent: true,
  runs: [
    {
      id: "veil-heron-nests",
      question: "Where do veil herons on Skerrin Isle place their second clutch of the year?",
      candidates: [
        "in abandoned burrows under the thrift banks",
        "on floating mats of knotted bladderweed",
        "along the chimney ledges of old kelp kilns",
      ],
      target: 3,
      answered: 3,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "A question of place about one bird, limited to the later brood. Sightings of the first brood belong to another question.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "veil heron second clutch Skerrin Isle warden diary",
          put: [
            evidence(
              "warden-diary",
              "Warden's diary, late July: every second clutch I could reach this year lay along the chimney ledges of the old kelp kilns, out of the wind, with two or three grey eggs apiece.",
            ),
          ],
        },
        {
          type: "extract",
          put: [
            evidence(
              "extract",
              "Location of late broods according to the warden: chimney ledges of the kelp kilns, all reachable sites, late July. Sample size is not given.",
            ),
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "Late broods are laid along the chimney ledges of old kelp kilns, where the wind does not reach the eggs.",
            ),
          ],
        },
        {
          type: "verify",
          put: [
            audit(
              "check",
              "Diary and draft agree on the kilns and on the month. One observer only, so the wording stays cautious about birds nesting out of reach.",
            ),
          ],
        },
      ],
    },
    {
      id: "slate-newt-ponds",
      question:
        "In which of the surveyed ponds did slate newt larvae fall most sharply between the two counts?",
      candidates: [
        "Widow's Pan beside the charcoal track",
        "Cinder Mere below the alder dam",
        "Hollin Pool under the sheep fold",
      ],
      target: 2,
      answered: 2,
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Comparison across a table of counts. The answer must be the row with the largest loss rather than the row with the lowest figure.",
            ),
          ],
        },
        {
          type: "plan",
          put: [
            plan(
              "plan",
              "Fetch both years' figures, subtract row by row, then name the site in full so that nobody confuses it with its neighbours.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "slate newt larval counts first and second survey",
          put: [
            evidence(
              "count-table",
              "Larvae per sweep, first survey then second. Cinder Mere below the alder dam: 64, then 9. Site two: 31, then 28. Site three: 12, then 11. Same nets, same fortnight, same two recorders.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "slate newt survey site descriptions",
          put: [
            evidence(
              "site-key",
              "Key to the numbered sites: two is Widow's Pan, three is Hollin Pool. All three hold water through August and none is stocked with fish.",
            ),
          ],
        },
        {
          type: "extract",
          drop: ["count-table"],
          put: [
            evidence(
              "extract",
              "Losses per sweep: Cinder Mere below the alder dam 55, site two 3, site three 1. The first of these is more than ten times the rest together.",
            ),
          ],
        },
        {
          type: "audit",
          put: [
            evidence(
              "extract",
              "Losses per sweep, as checked against the key: Widow's Pan beside the charcoal track 55, first site 3, Hollin Pool 1. The order of the columns was taken from the key.",
            ),
            audit(
              "audit",
              "The key lists Widow's Pan first, so the large figure belongs to it: Widow's Pan beside the charcoal track lost 55 larvae a sweep. Extract amended.",
            ),
          ],
          mark: [
            "corrupts-evidence",
            "The order of the key is mistaken for the order of the table, and two ponds change places.",
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "Larvae fell most at Widow's Pan beside the charcoal track, by 55 a sweep between one survey and the next.",
            ),
          ],
        },
        {
          type: "verify",
          query: "slate newt count table row one",
          drop: ["audit", "draft"],
          put: [
            evidence(
              "extract",
              "Row one of the original table, read again: Cinder Mere below the alder dam, 64 then 9, a loss of 55. The key numbers only the other two ponds.",
            ),
            reasoning(
              "correction",
              "The check had moved the names one row up. With that undone, Cinder Mere below the alder dam is the pond that lost most; the charcoal track plays no part.",
            ),
          ],
          mark: ["repairs", "The table itself is read again and the names return to their rows."],
        },
        {
          type: "finalize",
          put: [
            answer(
              "final",
              "Cinder Mere, below the alder dam, fell furthest: from 64 larvae a sweep to 9. Both other ponds stayed nearly level.",
            ),
          ],
        },
      ],
    },
    {
      id: "lampmoss-glow",
      question: "Which compound has been shown to produce the green glow of Vessary lampmoss?",
      candidates: [
        "an oxidised lumicol ester from root hairs",
        "a pyrrole chain bound to zinc granules",
        "bacterial tessarin stored inside hollow spores",
      ],
      target: "none",
      answered: "none",
      steps: [
        {
          type: "classify",
          put: [
            plan(
              "request",
              "Chemistry question with a high bar: shown means isolated and tested. A guess in a field guide does not pass.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "Vessary lampmoss luminescence isolation",
          put: [
            evidence(
              "institute-note",
              "Institute note: three attempts at isolating whatever shines in Vessary lampmoss have failed, since the light dies within a minute of cutting. The substance remains unidentified.",
            ),
          ],
        },
        {
          type: "retrieve",
          query: "lampmoss glow field guide",
          put: [
            evidence(
              "field-guide",
              "Field guide: the shine is strongest before rain. Cave guides like to credit a microbe, by analogy with lantern fungi, but nobody has looked for it here.",
            ),
          ],
        },
        {
          type: "draft",
          put: [
            answer(
              "draft",
              "The glow comes from bacterial tessarin, stored inside hollow spores and released before rain, as in lantern fungi.",
            ),
          ],
          mark: ["corrupts-evidence", "Folklore from the field guide is written down as a finding."],
        },
        {
          type: "audit",
          put: [
            message(
              "reviewer",
              "Where does this come from? The guide calls it an analogy and adds that nobody has looked. I see no assay anywhere in the material.",
            ),
          ],
        },
        {
          type: "revise",
          drop: ["draft", "field-guide"],
          put: [
            answer(
              "draft",
              "No listed answer can be defended: the institute failed three times at isolating the substance, so what makes lampmoss shine is still unknown.",
            ),
          ],
          mark: [
            "repairs",
            "The unsupported claim is withdrawn and the open state of the question is reported.",
          ],
        },
        {
          type: "finalize",
          put: [
            reasoning(
              "closing-note",
              "An unidentified substance means that the honest reply is to decline all named ones. A better extraction method would be the thing to wait for.",
            ),
          ],
        },
      ],
    },
  ],
};
