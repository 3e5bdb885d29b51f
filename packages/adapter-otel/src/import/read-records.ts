import { stateSha256, canonicalJson, readTrajectories, type State } from "@agent-step-value/sdk";
import { decodeMessage } from "../decode/decode-message.ts";
import type { OpenedSource } from "../framing/source.ts";
import { readMessages } from "../framing/read-messages.ts";
import type { ImportSettings } from "./import-options.ts";
import type { OtlpFileReport } from "./import-report.ts";
import type { ReportWriter } from "./report-writer.ts";
import { sha256Of } from "./native/declared-state.ts";
import type { RecordSorter } from "./record-sorter.ts";
import type { StateStore } from "./state-store.ts";

/** Reads every source to its end, once, and hands its records to the sorter. */
export async function readRecords(
  sources: readonly OpenedSource[],
  sorter: RecordSorter,
  writer: ReportWriter,
  settings: ImportSettings,
): Promise<void> {
  let order = 0;
  let bytes = 0;
  const nextOrder = (): number => order++;
  for (const source of sources) {
    const file = writer.file(source.name);
    const problem = (found: Parameters<ReportWriter["problem"]>[0]): void => {
      file.problems++;
      writer.problem(found);
    };
    sorter.file = file;
    const chunks = counted(source.chunks(), (length) => {
      file.bytes += length;
      bytes += length;
      settings.onProgress(bytes);
    });
    const messages = readMessages(chunks, {
      messageLimit: settings.messageLimit,
      within: "file",
      onProblem: (found) => problem({ source: source.name, ...found }),
      onFraming: (part) => (file.framing += `${file.framing === "" ? "" : "+"}${part}`),
    });
    for await (const message of messages) {
      file.messages++;
      writer.report.records++;
      const { number, offset, within } = message;
      const place = { source: source.name, offset, within, message: number };
      sorter.onInvalid = (what, reason) => problem({ ...place, code: `invalid_${what}`, reason });
      const context = { place: { source: source.name, line: number }, sink: sorter, nextOrder };
      const failure = await decodeMessage(message, context);
      if (failure !== undefined) problem({ ...place, bytes: message.bytes.length, ...failure });
    }
    warnOfEmpty(file, writer);
  }
}

/** A source that reads well and holds nothing of a run is often the wrong file. */
function warnOfEmpty(file: OtlpFileReport, writer: ReportWriter): void {
  if (file.spans + file.logs + file.problems > 0) return;
  writer.warn("empty", `${file.source}: holds no span and no log record`, { source: file.source, line: 0 });
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  count: (length: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.length);
    yield chunk;
  }
}

/** Keeps the states of a capture's own files, to be found by digest. */
export async function readCapturedStates(settings: ImportSettings, store: StateStore): Promise<void> {
  if (settings.states.length === 0) return;
  const keep = (state: State | undefined): void => {
    if (state === undefined) return;
    const text = canonicalJson(state);
    store.put(stateSha256(state, sha256Of), { text, origin: "local", own: true });
  };
  for await (const { steps } of readTrajectories(settings.states)) {
    for (const { stateBefore, stateAfter } of steps) {
      keep(stateBefore);
      keep(stateAfter);
    }
  }
}
