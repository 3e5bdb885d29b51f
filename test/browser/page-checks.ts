import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { ask, openSome } from "./page-facts.ts";
import type { Subject } from "./subject.ts";
import { openWatched } from "./watched-page.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Bytes a report may have, whatever it is about. */
const MOST_BYTES = 5_000_000;

/** What must hold of every report. */
export async function checkPage({ browser, file, name, tally }: Subject): Promise<void> {
  const bytes = statSync(file).size;
  tally.check(`${name}: below 5 MB`, bytes < MOST_BYTES, `${(bytes / 1e6).toFixed(2)} MB`);
  const source = readFileSync(file, "utf8");
  const raw = /(?![\t\n\r])\p{Cc}|[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFFFE]/u.exec(source);
  tally.check(
    `${name}: no raw control or bidirectional character`,
    raw === null,
    raw ? `at ${raw.index}` : "",
  );
  tally.check(`${name}: no script element`, !/<script/i.test(source));

  const opened = await openWatched(browser, file);
  const { page } = opened;
  const none = async (what: string, question: Parameters<typeof ask>[1]) => {
    const found = await ask<unknown[]>(page, question);
    tally.check(`${name}: ${what}`, found.length === 0, found.slice(0, 3).map(String).join(" | "));
  };
  await none("ids are unique", "duplicateIds");
  await none("every link leads to a place in the file", "deadLinks");
  await none("no element that loads, asks or runs", "foreignElements");
  await none("every number shown is its value, rounded", "wronglyRounded");
  tally.check(`${name}: nothing of a state ran`, !(await ask<boolean>(page, "pwned")));
  tally.check(`${name}: no sideways scroll at 1280 px`, (await ask<number>(page, "overflow")) <= 0);
  await openSome(page);
  tally.check(`${name}: nor with details open`, (await ask<number>(page, "overflow")) <= 0);
  tally.check(
    `${name}: no request, message, error or dialog`,
    opened.misdeeds.length === 0,
    opened.misdeeds.slice(0, 3).join(" | "),
  );
  await opened.close();
  await checkWithoutScript({ browser, file, name, tally });
}

/** All text is there for a browser that runs no script at all. */
async function checkWithoutScript({ browser, file, name, tally }: Subject): Promise<void> {
  const opened = await openWatched(browser, file, { javaScriptEnabled: false });
  const heading = await opened.page.locator("h1").innerText();
  const rows = await opened.page.locator("#steps tbody tr").count();
  const cards = await opened.page.locator("article.step").count();
  tally.check(`${name}: reads without JavaScript`, heading.length > 0 && rows === cards, `${rows} rows`);
  await opened.close();
}

/** Accessibility by axe-core in both themes, with the first run and the tables open. */
export async function checkAxe({ browser, file, name, tally }: Subject): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    const { page, close } = await openWatched(browser, file, { colorScheme });
    await openSome(page);
    await page.evaluate(axeSource);
    const violations = await page.evaluate<{ id: string; nodes: number; first: string }[]>(
      `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
        violations.map(({ id, nodes }) => ({ id, nodes: nodes.length, first: nodes[0].html.slice(0, 160) + " " + (nodes[0].any[0]?.message ?? "").slice(0, 160) })))`,
    );
    const detail = violations.map(({ id, nodes, first }) => `${id} x${nodes}: ${first}`).join("\n    ");
    tally.check(`${name}: axe finds nothing, ${colorScheme}`, violations.length === 0, detail);
    await close();
  }
}

/** The whole page by the keyboard: every control gets the focus once, visibly, and opens what it says. */
export async function checkKeyboard({ browser, file, name, tally }: Subject): Promise<void> {
  const { page, close } = await openWatched(browser, file);
  const expected = await ask<number>(page, "focusable");
  const visited = new Set<number>();
  const invisible: string[] = [];
  let first = "";
  for (let presses = 0; presses < expected + 5; presses++) {
    await page.keyboard.press("Tab");
    const focused = await ask<{ number: number; name: string; outline: string } | null>(page, "focused");
    if (focused === null) break;
    if (presses === 0) first = focused.name;
    visited.add(focused.number);
    if (focused.outline === "none") invisible.push(focused.name);
  }
  tally.check(`${name}: the first stop skips to the report`, first.includes("Skip"), first);
  tally.check(`${name}: Tab reaches all ${expected} controls`, visited.size === expected, `${visited.size}`);
  tally.check(`${name}: the focus shows`, invisible.length === 0, invisible.slice(0, 3).join(" | "));
  const summary = page.locator("details.run > summary").first();
  await summary.focus();
  await page.keyboard.press("Enter");
  const openRuns = await page.locator("details.run[open]").count();
  tally.check(`${name}: Enter opens a run`, openRuns === 1);
  await close();
}

/** A link from the worst step opens its run and shows the step. */
export async function checkWorstLink({ browser, file, name, tally }: Subject): Promise<void> {
  const { page, close } = await openWatched(browser, file);
  const link = page.locator("#extremes table a").first();
  const target = await link.getAttribute("href");
  await link.click();
  const card = page.locator(target!);
  tally.check(`${name}: the worst step's link opens its run`, await card.isVisible());
  tally.check(`${name}: and brings the step into view`, ((await card.boundingBox())?.y ?? Infinity) < 800);
  await close();
}

/** Prints to PDF, with the contents left out and the report there. */
export async function checkPrint({ browser, file, name, tally }: Subject): Promise<void> {
  const { page, close } = await openWatched(browser, file, { colorScheme: "dark" });
  await page.emulateMedia({ media: "print" });
  const paper = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  tally.check(`${name}: prints on white, whatever the theme`, paper === "rgb(255, 255, 255)", paper);
  tally.check(`${name}: in print the contents are gone`, !(await page.locator("nav").isVisible()));
  const pdf = await page.pdf({
    format: "A4",
    margin: { top: "12mm", bottom: "12mm", left: "12mm", right: "12mm" },
  });
  writeFileSync(file.replace(/\.html$/, ".pdf"), pdf);
  tally.check(
    `${name}: prints to PDF`,
    pdf.subarray(0, 5).toString() === "%PDF-" && pdf.length > 20_000,
    `${(pdf.length / 1e3).toFixed(0)} kB`,
  );
  await close();
}

/** Pictures of the first screen, the whole page and an open step, kept for people to look at. */
export async function takePictures({ browser, file, name, tally }: Subject): Promise<void> {
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const) {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, close } = await openWatched(browser, file, { viewport: { width, height }, colorScheme });
      if (colorScheme === "light") {
        const overflow = await ask<number>(page, "overflow");
        tally.check(`${name}: no sideways scroll at ${width} px`, overflow <= 0, `${overflow} px`);
      }
      const picture = (part: string) => file.replace(/\.html$/, `.${width}.${colorScheme}.${part}.png`);
      await page.screenshot({ path: picture("top") });
      if (colorScheme === "light") await page.screenshot({ path: picture("page"), fullPage: true });
      await pictureOfStep(page, picture("step"));
      await close();
    }
  }
}

async function pictureOfStep(page: Page, path: string): Promise<void> {
  const link = page.locator("#extremes table a").first();
  if ((await link.count()) === 0) return;
  await link.click();
  await page.screenshot({ path });
}
