import { BASE } from "./base.ts";
import { FIGURES } from "./figures.ts";
import { OVERVIEW } from "./overview.ts";
import { RUNS } from "./runs.ts";
import { THEME } from "./theme.ts";

/** The whole style sheet. Blank space at line starts is not sent along. */
export const STYLE = [THEME, BASE, OVERVIEW, FIGURES, RUNS].join("").replace(/\n\s*/g, "\n");
