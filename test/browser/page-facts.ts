import type { Page } from "playwright-core";

/** What is asked of a page, as text: it runs in the browser, which this project's types know nothing of. */
const QUESTIONS = {
  duplicateIds: `(() => {
    const seen = new Set(), twice = [];
    for (const { id } of document.querySelectorAll("[id]")) seen.has(id) ? twice.push(id) : seen.add(id);
    return twice;
  })()`,
  deadLinks: `[...document.querySelectorAll("a")].map((a) => a.getAttribute("href"))
    .filter((href) => !href.startsWith("#") || document.getElementById(href.slice(1)) === null)`,
  foreignElements: `[...document.querySelectorAll(
    "script, img, iframe, object, embed, link, base, form, input, video, audio, canvas, [id=pwned], [onload], [onerror]"
  )].map((e) => e.outerHTML.slice(0, 120))`,
  overflow: `document.documentElement.scrollWidth - innerWidth`,
  stepRows: `document.querySelectorAll("#steps tbody tr").length`,
  stepCards: `document.querySelectorAll("article.step").length`,
  runs: `document.querySelectorAll("details.run").length`,
  sampleNotes: `document.querySelectorAll(".sample").length`,
  callout: `document.getElementById("entropy-misses")?.getBoundingClientRect().top ?? -1`,
  /** Unrounded numbers of the big table: gain, surprise, entropy movement of each row. */
  stepNumbers: `[...document.querySelectorAll("#steps tbody tr")].map((tr) => {
    const heads = [...tr.closest("table").querySelectorAll("thead th")].map((th) => th.textContent);
    const of = (name) => tr.children[heads.indexOf(name)]?.querySelector("data")?.value;
    return ["Gain", "Surprise", "Entropy movement"].map((name) => { const v = of(name); return v === undefined ? null : Number(v); });
  })`,
  /** Unrounded numbers of the large figures at the top, by name. */
  tiles: `Object.fromEntries([...document.querySelectorAll("#overview .tile")].map((tile) => [
    tile.querySelector("dt").textContent,
    [...tile.querySelectorAll("data")].map((d) => Number(d.value)),
  ]))`,
  comparisonTiles: `[...document.querySelectorAll(".comparison")].map((block) => Object.fromEntries(
    [...block.querySelectorAll(".tile")].map((tile) => [
      tile.querySelector("dt").textContent,
      [...tile.querySelectorAll("data")].map((d) => Number(d.value)),
    ])))`,
  /** Mean gain and steps of each step type, from the table behind the figures. */
  stepTypes: `[...(document.getElementById("step-types-caption")?.closest("table").querySelectorAll("tbody tr") ?? [])].map((tr) => [
    tr.querySelector("th").textContent,
    Number(tr.children[1].querySelector("data").value),
    tr.children[3].querySelector("data") === null ? null : Number(tr.children[3].querySelector("data").value),
  ])`,
  /** Every number that a reader sees beside its unrounded value, where the two do not agree. */
  wronglyRounded: `[...document.querySelectorAll("data")].filter((d) => {
    const percent = d.textContent.endsWith("%");
    const shown = Number(d.textContent.replace(/[^0-9.\\u2212]/g, "").replace("\\u2212", "-"));
    const value = Number(d.value) * (percent ? 100 : 1);
    const places = (d.textContent.split(".")[1] ?? "").replace(/[^0-9]/g, "").length;
    return !(Math.abs(shown - value) <= 0.5 * 10 ** -places + 1e-9);
  }).map((d) => d.outerHTML).slice(0, 5)`,
  /** Cards of steps whose gains in all channels, in the order of the table, are not those of their row. */
  cardsUnlikeRows: `(() => {
    const texts = (elements) => [...elements].map((e) => e.textContent.trim().split(" ").at(-1));
    const rows = [...document.querySelectorAll("#steps tbody tr")];
    const cards = [...document.querySelectorAll("article.step")];
    const heads = [...document.querySelectorAll("#steps thead th")].map((th) => th.textContent);
    const gains = heads.flatMap((head, at) => (head.startsWith("Gain") ? [at] : []));
    return rows.flatMap((row, i) => {
      const card = [cards[i].querySelector(".nums dd"), ...[...cards[i].querySelectorAll(".nums div")]
        .filter((div) => div.querySelector("dt").textContent.startsWith("Gain")).flatMap((div) => [...div.querySelectorAll("dd")])];
      const [a, b] = [texts(card).join(), texts(gains.map((at) => row.children[at])).join()];
      return a === b ? [] : [a + " for " + b];
    }).slice(0, 3);
  })()`,
  focusable: `[...document.querySelectorAll("a[href], summary, [tabindex='0']")]
    .filter((e) => e.checkVisibility({ contentVisibilityAuto: false })).length`,
  focused: `(() => {
    const e = document.activeElement;
    if (e === null || e === document.body) return null;
    window.focusNumbers ??= new Map();
    if (!focusNumbers.has(e)) focusNumbers.set(e, focusNumbers.size);
    return { number: focusNumbers.get(e), name: (e.tagName + " " + e.textContent.trim().slice(0, 40)), outline: getComputedStyle(e).outlineStyle };
  })()`,
  pwned: `window.pwned === true`,
  text: `document.body.innerText`,
} as const;

/** One fact about a page. */
export function ask<T>(page: Page, question: keyof typeof QUESTIONS): Promise<T> {
  return page.evaluate<T>(QUESTIONS[question]);
}

/** Opens the first run and the tables, so that what is inside is looked at too. */
export async function openSome(page: Page): Promise<void> {
  await page.evaluate(
    `for (const d of document.querySelectorAll("details.run:first-of-type, details.run:first-of-type details, details.more")) d.open = true`,
  );
}
