import { expect, test } from "vitest";
import { mergeSpans, withoutSpans } from "./merge-spans.ts";

const span = (start: number, end: number, rank = 0) => ({ start, end, rank, id: `r${rank}` });

test("apart and touching spans stay apart, overlapping ones become one under the most specific rule", () => {
  expect(mergeSpans([span(5, 8, 3), span(0, 2), span(2, 4)])).toEqual([
    span(0, 2),
    span(2, 4),
    span(5, 8, 3),
  ]);
  expect(mergeSpans([span(0, 5, 3), span(3, 9, 1)])).toEqual([span(0, 9, 1)]);
  expect(mergeSpans([span(0, 9, 1), span(3, 5, 3)])).toEqual([span(0, 9, 1)]);
  expect(mergeSpans([])).toEqual([]);
});

test("kept places are taken out of spans", () => {
  expect(withoutSpans([span(0, 10)], [span(2, 4), span(6, 7)])).toEqual([
    span(0, 2),
    span(4, 6),
    span(7, 10),
  ]);
  expect(withoutSpans([span(2, 4)], [span(0, 5)])).toEqual([]);
  expect(withoutSpans([span(0, 3), span(4, 8)], [span(2, 6)])).toEqual([span(0, 2), span(6, 8)]);
  expect(withoutSpans([span(0, 3)], [])).toEqual([span(0, 3)]);
});
