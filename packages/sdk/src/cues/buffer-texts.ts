import type { ScoreFileRecord } from "../schema/index.ts";

/** Rationale texts by protocol, task, candidate set and state. */
export interface BufferTexts {
  /** Takes any line of a score file and keeps the rationales. */
  add(record: ScoreFileRecord): void;
  find(
    protocolId: string,
    taskId: string,
    candidateSetSha256: string,
    stateSha256: string,
  ): string | undefined;
}

/**
 * The buffers that were written before scoring, which a score index does not keep. Extractive buffers are
 * not stored: extractBuffer makes them again from the blocks the evaluator was shown.
 */
export function createBufferTexts(): BufferTexts {
  const texts = new Map<string, string>();
  return {
    add(record) {
      if (record.record !== "rationale") return;
      const { protocolId, taskId, candidateSetSha256, stateSha256, text } = record;
      texts.set(JSON.stringify([protocolId, taskId, candidateSetSha256, stateSha256]), text);
    },
    find: (...key) => texts.get(JSON.stringify(key)),
  };
}
