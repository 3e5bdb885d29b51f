import type { Browser } from "playwright-core";
import type { Tally } from "./tally.ts";

/** What every part of the test works with. */
export interface Desk {
  browser: Browser;
  tally: Tally;
  /** Folder of reports, pictures and PDFs. */
  out: string;
}

/** A report that is being looked at. */
export interface Subject {
  browser: Browser;
  tally: Tally;
  file: string;
  /** Before every line that is printed. */
  name: string;
}
