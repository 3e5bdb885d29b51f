import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** A page with everything it should not have done: requests, errors, messages, dialogs. */
export interface WatchedPage {
  page: Page;
  misdeeds: string[];
  close: () => Promise<void>;
}

/** Opens a report by its file address and notes every request but that one, and whatever the browser complains of. */
export async function openWatched(
  browser: Browser,
  file: string,
  { hash = "", ...options }: BrowserContextOptions & { hash?: string } = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const address = pathToFileURL(file).href;
  const misdeeds: string[] = [];
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== address) misdeeds.push(`request for ${request.url()}`);
  });
  page.on("console", (message) => misdeeds.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => misdeeds.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    misdeeds.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("framenavigated", (frame) => {
    if (frame.url().split("#")[0] !== address) misdeeds.push(`went to ${frame.url()}`);
  });
  await page.goto(address + hash, { waitUntil: "load" });
  return { page, misdeeds, close: () => context.close() };
}
