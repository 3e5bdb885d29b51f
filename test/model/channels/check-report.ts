import type { Tally } from "../tally.ts";
import type { SummaryJson } from "./check-audit.ts";
import type { AuditJson, ComparisonJson, EstimateJson } from "./comparison-json.ts";
import { numbersIn, openPage, rowsOf, type PageElement } from "./html-page.ts";

/** The HTML report opens, asks for nothing, and shows the numbers of the JSON files to the last digit. */
export function checkReport(
  path: string,
  files: { comparisons: readonly ComparisonJson[]; audit: AuditJson; summary: SummaryJson; steps: number },
  tally: Tally,
): void {
  const page = openPage(path);
  const { comparisons, audit, summary, steps } = files;
  const foreign = [...page.querySelectorAll("script, img, iframe, object, embed, link, base, form")];
  const links = [...page.querySelectorAll("a")].map((link) => link.getAttribute("href") ?? "");
  tally.check(
    "HTML: one document that runs nothing and loads nothing",
    [...page.querySelectorAll("main")].length === 1 &&
      foreign.length === 0 &&
      links.every((href) => href.startsWith("#")),
    `${links.length} links within`,
  );
  const numbers = numbersIn(page.querySelector("main"));
  tally.check("HTML: every number is one", numbers.every(Number.isFinite), `${numbers.length} numbers`);
  const rows = [...page.querySelectorAll("#steps tbody tr")].length;
  tally.check("HTML: one row a step", rows === steps, `${rows} rows`);
  const overview = tilesOf(page.querySelector("#overview")!);
  tally.check(
    "HTML: mean margin gain of the first screen as in summary.json",
    overview.get("Mean margin gain")?.[0] === summary.margin_gain.mean,
  );
  checkComparisons(page, comparisons, tally);
  checkAuditTables(page, audit, tally);
}

/** Each comparison's large figures, by the names in its heading. */
function checkComparisons(page: PageElement, comparisons: readonly ComparisonJson[], tally: Tally): void {
  const blocks = new Map(
    [...page.querySelectorAll(".comparison")].map((block) => [
      block.querySelector("h3")!.textContent,
      tilesOf(block),
    ]),
  );
  const others = comparisons.filter(({ a, b }) => a.name !== b.name);
  const differing = others.filter(({ a, b, all }) => {
    const tiles = blocks.get(`${a.name} against ${b.name}`);
    const { rate, disagree, both_moved } = all.sign_disagreement;
    const wanted = new Map([
      ["Mean signed effect", shown(all.signed)],
      ["Mean absolute effect", shown(all.absolute)],
      [
        "Sign disagreement",
        [...meanOf(rate), disagree, both_moved, ...shown(rate).slice(meanOf(rate).length)],
      ],
      [`Mean gain, ${a.name}`, shown(all.a)],
      [`Mean gain, ${b.name}`, shown(all.b)],
    ]);
    return [...wanted].some(([name, numbers]) => !isSame(tiles?.get(name), numbers));
  });
  tally.check(
    "HTML: every channel's effects and intervals as in comparisons.json",
    blocks.size === others.length && differing.length === 0,
    `${blocks.size} channels${differing.map(({ a }) => `; ${a.name} differs`).join("")}`,
  );
}

function checkAuditTables(page: PageElement, audit: AuditJson, tally: Tally): void {
  const tables = [...page.querySelectorAll("#audit table")];
  const wanted = audit.tables.filter(({ sample }) => sample !== "clean");
  const same = wanted.every(({ rows }, at) => {
    const shownRows = tables[at] === undefined ? [] : rowsOf(tables[at]);
    return (
      shownRows.length === rows.length &&
      rows.every((row, i) => {
        const cell = (title: string) => numbersIn(shownRows[i]!.get(title));
        return (
          shownRows[i]!.get("Channel")!.textContent.startsWith(row.channel) &&
          isSame(cell("Mean G"), shown(row.margin_gain)) &&
          isSame(cell("Gap"), shown(row.gap)) &&
          isSame(cell("Absolute gap"), shown(row.absolute_gap))
        );
      })
    );
  });
  tally.check(
    "HTML: both tables of the audit as in audit.json",
    same && tables.length === wanted.length,
    `${tables.length} tables`,
  );
}

function tilesOf(block: PageElement): Map<string, number[]> {
  return new Map(
    [...block.querySelectorAll(".tile")].map((tile) => [
      tile.querySelector("dt")!.textContent,
      numbersIn(tile),
    ]),
  );
}

function meanOf({ mean }: EstimateJson): number[] {
  return mean === undefined ? [] : [mean];
}

/** A mean and the ends of its interval, as far as they are there. */
function shown(estimate: EstimateJson): number[] {
  const { interval } = estimate;
  return [...meanOf(estimate), ...(interval === undefined ? [] : [interval.low, interval.high])];
}

function isSame(numbers: readonly number[] | undefined, wanted: readonly number[]): boolean {
  return numbers !== undefined && JSON.stringify(numbers) === JSON.stringify(wanted);
}
