import { AsvError, showValue } from "../errors/index.ts";
import { TRAJECTORY_SCHEMA } from "../schema/index.ts";
import { importAtif } from "./atif/import-atif.ts";
import { importAsvV1 } from "./import-asv-v1.ts";
import { importPubmedqa } from "./import-pubmedqa.ts";
import { importReact } from "./import-react.ts";
import { importWhoAndWhen } from "./import-who-and-when.ts";
import { importInspect } from "./inspect/import-inspect.ts";
import { importLangfuse } from "./langfuse/import-langfuse.ts";
import { importSweAgent } from "./swe-agent/import-swe-agent.ts";
import { importTau2 } from "./tau/import-tau2.ts";
import { importTauBench } from "./tau/import-tau-bench.ts";

/**
 * Every format that can be imported, by name. `reads` says what `run` takes: trajectories of the
 * toolkit, JSON lines, one text, or JSON documents (whole files, or one a line).
 */
export const importers = Object.freeze({
  "asv-v1": { reads: "trajectories", run: importAsvV1 },
  "who-and-when": { reads: "lines", run: importWhoAndWhen },
  pubmedqa: { reads: "lines", run: importPubmedqa },
  react: { reads: "text", run: importReact },
  langfuse: { reads: "documents", run: importLangfuse },
  "swe-agent": { reads: "documents", run: importSweAgent },
  inspect: { reads: "documents", run: importInspect },
  "tau-bench": { reads: "documents", run: importTauBench },
  tau2: { reads: "documents", run: importTau2 },
  atif: { reads: "documents", run: importAtif },
} as const);

export type ImportFormat = keyof typeof importers;

/**
 * The name of a format, checked.
 *
 * @throws AsvError `unknown_format`, which lists the known ones
 */
export function importFormat(name: string): ImportFormat {
  if (name === TRAJECTORY_SCHEMA) return "asv-v1"; // the schema's own spelling
  if (Object.hasOwn(importers, name)) return name as ImportFormat;
  throw new AsvError(
    "unknown_format",
    `There is no importer for ${showValue(name)}; use ${Object.keys(importers).join(", ")}.`,
    { format: showValue(name) },
  );
}
