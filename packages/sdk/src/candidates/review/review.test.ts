import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CandidateSetRecord } from "../../schema/index.ts";
import { checkFrozen } from "../check-frozen.ts";
import { freezeCandidates } from "../freeze-candidates.ts";
import { newCandidateSet } from "../new-candidate-set.ts";
import { readReview, renderReview } from "./index.ts";

const AT = "2026-11-30T12:00:00.000Z";

function setOf(taskId: string, answers: readonly string[] = ["red", "green", "blue"]): CandidateSetRecord {
  return {
    record: "candidate_set",
    taskId,
    question: `Which colour is ${taskId}?`,
    ...newCandidateSet("open-qa", { answers }),
    extra: { unreviewed: true, generated: { model: "m-1" } },
  };
}

const sets = [setOf("lamp"), setOf("door"), setOf("sail")];
const blank = renderReview(sets, "R. Eviewer");

/** The file after a person replaced the n-th place of each line. */
function filled(text: string, ...edits: [line: RegExp, by: string][]): string {
  const lines = text.split("\n");
  for (const [pattern, by] of edits) {
    const at = lines.findIndex((line) => pattern.test(line));
    expect(at, String(pattern)).toBeGreaterThan(-1);
    lines[at] = by;
  }
  return lines.join("\n");
}
const acceptAll = (text: string) => text.replaceAll(/^accept: $/gm, "accept: y");
const read = (text: string) => readReview(text, { source: "review.txt", reviewedAt: AT });

describe("a review file", () => {
  it("opens with instructions, then shows each set with its places to fill in", () => {
    expect(blank.split("\n")[0]).toBe("# asv candidate review 1");
    const block = blank.slice(blank.indexOf("=== set 1"), blank.indexOf("=== set 2"));
    expect(block.split("\n").slice(0, 11)).toEqual([
      "=== set 1 of 3",
      "task: lamp",
      "question: Which colour is lamp?",
      "answer cand-1: red",
      "answer cand-2: green",
      "answer cand-3: blue",
      expect.stringMatching(/^answer none-of-the-above: None of the above/),
      "accept: ",
      "target: ",
      "notes: ",
      expect.stringMatching(/^keep: \{/),
    ]);
  });

  it("gives accepted sets frozen with their review, targets apart, and drops the others", () => {
    const text = filled(
      blank,
      [/^answer cand-2: green/, "answer cand-2:  Green, as of a lime "],
      [/^accept: $/, "accept: Y"],
      [/^target: $/, "target: cand-2"],
      [/^notes: $/, "notes: second answer was too short"],
      [/^accept: $/, "accept: n"],
      [/^accept: $/, "accept: yes"],
    );
    const { sets: kept, gold, dropped } = read(text);
    expect(dropped).toBe(1);
    expect(kept.map(({ taskId }) => taskId)).toEqual(["lamp", "sail"]);
    expect(gold).toEqual([{ record: "gold", taskId: "lamp", goldCandidateId: "cand-2" }]);
    const [lamp] = kept;
    expect(checkFrozen(lamp!, lamp!.question)).toEqual({ frozen: true });
    expect(lamp!.review).toEqual({
      reviewer: "R. Eviewer",
      reviewedAt: AT,
      notes: "second answer was too short",
    });
    expect(lamp!.candidates.find(({ id }) => id === "cand-2")?.text).toBe("Green, as of a lime");
    expect(lamp!.extra).toEqual({ generated: { model: "m-1" } });
    expect(JSON.stringify(kept)).not.toMatch(/gold|target/);
    // Freezing again without a reviewer keeps what is there; a text changed since is refused.
    expect(freezeCandidates(lamp!, lamp!.question)).toEqual(
      expect.objectContaining({ review: lamp!.review }),
    );
    const changed = {
      ...lamp!,
      candidates: lamp!.candidates.map((one) => ({ ...one, text: `${one.text}!` })),
    };
    expect(() => freezeCandidates(changed, lamp!.question)).toThrow(/frozen only after a person/);
  });

  it.each([
    ["a set without a decision", blank, /accept: must be y or n/],
    [
      "a decision that is none",
      acceptAll(blank).replace("accept: y", "accept: maybe"),
      /accept: must be y or n/,
    ],
    ["no reviewer", acceptAll(renderReview(sets)), /reviewer: must name the person/],
    [
      "a target that is no candidate",
      acceptAll(blank).replace("\ntarget: ", "\ntarget: B"),
      /target: must be one of cand-1,/,
    ],
    ["an emptied answer", acceptAll(blank).replace("cand-1: red", "cand-1: "), /must not be empty/],
    [
      "two equal answers",
      acceptAll(blank).replace("cand-1: red", "cand-1: GREEN."),
      /different from the text/,
    ],
    [
      "a second none-of-the-above",
      acceptAll(blank).replace("cand-1: red", "cand-1: None of these"),
      /at most one none-of-the-above/,
    ],
    [
      "a changed question",
      acceptAll(blank).replace("question: Which colour is lamp?", "question: Why?"),
      /guard: does not fit/,
    ],
    ["a changed task", acceptAll(blank).replace("task: lamp", "task: lamps"), /guard: does not fit/],
    [
      "a changed id",
      acceptAll(blank).replace("answer cand-1:", "answer cand-9:"),
      /answer cand-1: is missing/,
    ],
    [
      "one more answer",
      acceptAll(blank).replace("answer cand-1: red", "answer cand-1: red\nanswer cand-9: teal"),
      /id that this set does not have/,
    ],
    [
      "an answer twice",
      acceptAll(blank).replace("answer cand-2:", "answer cand-1:"),
      /cand-1: stands in this set already/,
    ],
    [
      "a text that went over two lines",
      acceptAll(blank).replace("red", "red\nor reddish"),
      /must be "name: value"/,
    ],
    ["an unknown field", acceptAll(blank).replace("\nnotes: ", "\nremarks: "), /remarks: is no field/],
    [
      "a set copied twice",
      acceptAll(blank) + acceptAll(blank).slice(acceptAll(blank).indexOf("=== set 1")),
      /has a set in this file already/,
    ],
    ["a broken string", acceptAll(blank).replace("cand-1: red", 'cand-1: "red'), /whole JSON string/],
    ["a broken keep", acceptAll(blank).replace("keep: {", "keep: "), /keep: must be left/],
    ["another file", '{"record":"candidate_set"}\n', /must be "name: value"/],
    ["an empty file", "", /this is no review file/],
  ])("refuses %s, naming the line", (_, text, problem) => {
    expect(() => read(text)).toThrow(problem);
    expect(() => read(text)).toThrow(/^review\.txt:\d+: field /);
    expect(() => read(text)).toThrow(expect.objectContaining({ code: "invalid_record" }));
  });

  it("survives an editor that writes carriage returns and a byte order mark, and comments of its own", () => {
    const edited = `\uFEFF${acceptAll(blank).replaceAll("\n", "\r\n")}\r\n# looked at on Monday\r\n`;
    expect(read(edited)).toEqual(read(acceptAll(blank)));
  });

  it("shows no character that a terminal acts on or that cannot be seen, and gives every text back", () => {
    const nasty = ["\u001b[2J\u001b[31mred", "gr\u202Eeen", '"quoted"\naccept: y\ntarget: cand-1'];
    const text = renderReview([{ ...setOf("x", nasty), question: "# what?\u0000" }], "R");
    expect(text).not.toMatch(/[^\P{C}\n]/u);
    expect(text.match(/^accept:/gm)).toHaveLength(1);
    const { sets: kept } = read(acceptAll(text));
    const texts = new Map(kept[0]!.candidates.map((one) => [one.id, one.text]));
    expect(["cand-1", "cand-2", "cand-3"].map((id) => texts.get(id))).toEqual(nasty);
    expect(kept[0]!.question).toBe("# what?\u0000");
  });

  it("holds any set there can be: read back unedited, every id, text and unknown key is the same", () => {
    const text = fc
      .string({ unit: "binary", minLength: 1, maxLength: 12 })
      .filter((one) => !/\p{Cs}/u.test(one));
    fc.assert(
      fc.property(
        fc.uniqueArray(text, { minLength: 3, maxLength: 3, selector: (one) => one.toLowerCase().trim() }),
        text,
        text,
        (own, taskId, question) => {
          let set: CandidateSetRecord;
          try {
            set = { ...setOf("t", own), taskId, question, extra: { kept: own } };
          } catch {
            return; // not a valid set to begin with
          }
          if (question.trim() === "") return;
          const { sets: kept } = read(acceptAll(renderReview([set], "R")));
          const { frozenSha256: _digest, review: _review, candidates, ...rest } = kept[0]!;
          const { candidates: given, ...expected } = set;
          expect(rest).toEqual(expected);
          expect(candidates.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(given);
        },
      ),
    );
  });

  it("refuses two sets for one task", () => {
    expect(() => renderReview([setOf("a"), setOf("a")])).toThrow(
      expect.objectContaining({ code: "invalid_argument" }),
    );
  });
});
