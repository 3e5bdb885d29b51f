/** Something that is written beside its final name until it is put in place or given up. */
export interface UnfinishedOutput<Item> {
  write(item: Item): Promise<void>;
  /** Puts it in place. */
  commit(): Promise<void>;
  /** Leaves what was there before. */
  abort(): Promise<void>;
}

const unfinished = new Set<() => Promise<void>>();
const settling = new Set<Promise<unknown>>();
let givenUp = false;

/** Opens an output of which an interrupted process leaves nothing behind, see {@link giveUpOutputs}. */
export async function openUnfinished<Item>(
  open: () => Promise<UnfinishedOutput<Item>>,
): Promise<UnfinishedOutput<Item>> {
  if (givenUp && settling.size === 0) await processEnds();
  const opening = open();
  // Known from the first moment: a signal can come while the file is being made.
  const giveUp = async (): Promise<void> => (await opening.catch(() => undefined))?.abort();
  unfinished.add(giveUp);
  try {
    const output = await opening;
    return {
      write: (item) => output.write(item),
      commit: () => withoutInterrupt(() => output.commit()).finally(() => unfinished.delete(giveUp)),
      abort: () => output.abort().finally(() => unfinished.delete(giveUp)),
    };
  } catch (error) {
    unfinished.delete(giveUp);
    throw error;
  }
}

/** Work that an interrupted process still ends: files that belong together come into place together. */
export async function withoutInterrupt<T>(work: () => Promise<T>): Promise<T> {
  if (givenUp && settling.size === 0) await processEnds();
  const done = work();
  settling.add(done);
  try {
    return await done;
  } finally {
    settling.delete(done);
  }
}

/**
 * Removes what is unfinished, once what is being put in place is there. The process is to end afterwards:
 * nothing can be opened any more.
 *
 * @returns how many outputs were given up
 */
export async function giveUpOutputs(): Promise<number> {
  givenUp = true;
  while (settling.size > 0) await Promise.allSettled(settling);
  const outputs = [...unfinished];
  await Promise.allSettled(outputs.map((giveUp) => giveUp()));
  return outputs.length;
}

function processEnds(): Promise<never> {
  return new Promise(() => undefined);
}
