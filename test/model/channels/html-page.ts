import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** What is used of an element. */
export interface PageElement {
  textContent: string;
  tagName: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

// The command draws its plots with this parser; it is the command's dependency and nobody else's.
const ofCommand = createRequire(new URL("../../../packages/cli/package.json", import.meta.url));
const { parseHTML } = ofCommand("linkedom") as {
  parseHTML: (html: string) => { document: PageElement };
};

export function openPage(path: string): PageElement {
  return parseHTML(readFileSync(path, "utf8")).document;
}

/** Unrounded numbers within an element, in order. */
export function numbersIn(element: PageElement | null | undefined): number[] {
  if (element === null || element === undefined) return [];
  return [...element.querySelectorAll("data")].map((number) => Number(number.getAttribute("value")));
}

/** Cells of each row of a table by the title of their column. */
export function rowsOf(table: PageElement): Map<string, PageElement>[] {
  const titles = [...table.querySelectorAll("thead th")].map(({ textContent }) => textContent);
  return [...table.querySelectorAll("tbody tr")].map(
    (row) => new Map([...row.querySelectorAll("th, td")].map((cell, i) => [titles[i] ?? "", cell])),
  );
}
