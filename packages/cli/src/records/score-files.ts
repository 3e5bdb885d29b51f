import {
  AsvError,
  createScoreIndex,
  decodeScoreFileRecord,
  protocolFromRecord,
  showValue,
  type IndexedProtocol,
  type ScoreIndex,
} from "@agent-step-value/sdk";
import { readRecords } from "@agent-step-value/sdk/jsonl";
import { withRecordName } from "./named-failure.ts";
import type { WarningLog } from "./read-input.ts";
import { printable } from "../terminal/table.ts";
import { sniffFile } from "./sniff.ts";

/** Tells trajectory and score files apart, whatever order they were given in. */
export async function sortFiles(files: readonly string[]): Promise<{ runs: string[]; scores: string[] }> {
  const runs: string[] = [];
  const scores: string[] = [];
  for (const file of files) {
    const kind = file === "-" ? "trajectories" : await sniffFile(file);
    if (kind === "candidates") {
      throw new AsvError(
        "invalid_argument",
        `${file} holds candidate sets; attach them to trajectories first (asv candidates attach).`,
      );
    }
    (kind === "scores" ? scores : runs).push(file);
  }
  if (runs.length === 0)
    throw new AsvError(
      "invalid_argument",
      "None of the files holds trajectories; a report needs them beside the scores.",
    );
  return { runs, scores };
}

/** The scores of all score files; undefined where there is none. */
export async function readScores(files: readonly string[], log: WarningLog): Promise<ScoreIndex | undefined> {
  if (files.length === 0) return undefined;
  const index = createScoreIndex();
  for (const file of files) {
    for await (const record of readRecords(file, decodeScoreFileRecord, log)) {
      // Its id is the digest of its settings; a line that was edited would give numbers a false name.
      if (record.record === "protocol")
        withRecordName(file, "protocol", record.name, () => protocolFromRecord(record));
      index.add(record);
    }
  }
  for (const { protocolId, protocol } of index.protocols()) {
    if (protocol === undefined) throw withoutProtocol(protocolId);
  }
  return index;
}

/** As {@link readScores}, for a command that is about scores. */
export async function readScoresOrRefuse(
  files: readonly string[],
  log: WarningLog,
  verb: string,
): Promise<ScoreIndex> {
  const index = await readScores(files, log);
  if (index !== undefined && index.protocols().length > 0) return index;
  throw new AsvError(
    "invalid_argument",
    `None of the files holds scores; asv ${verb} needs the score files of two or more protocols beside the trajectories.`,
  );
}

function withoutProtocol(protocolId: string): AsvError {
  return new AsvError(
    "invalid_record",
    `The score files hold scores of protocol ${showValue(protocolId)} without its protocol line, the first of every ` +
      "score file. Give the whole file: without it nobody can tell how many mappings a state needs.",
  );
}

/** The one protocol to report, by id or name where there are several. */
export function chooseProtocol(index: ScoreIndex, asked: string | undefined): IndexedProtocol {
  const protocols = index.protocols();
  const matching =
    asked === undefined
      ? protocols
      : protocols.filter(({ protocolId, name }) => asked === protocolId || asked === name);
  const [only, another] = matching;
  if (only !== undefined && another === undefined) return only;
  const known = protocols
    .map(({ protocolId, name }) => `${printable(protocolId)} (${printable(name ?? "no name")})`)
    .join(", ");
  throw new AsvError(
    "invalid_argument",
    asked === undefined
      ? `The score files hold several protocols; choose one with --protocol: ${known}.`
      : `The score files hold ${only === undefined ? "no" : "more than one"} protocol ${showValue(asked)}; they hold ${known}.`,
  );
}
