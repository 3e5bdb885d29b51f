/** A new trajectory id: UUID version 7, so that ids sort by the time they were made. */
export function newTrajectoryId(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  const random = globalThis.crypto.randomUUID();
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${random.slice(15)}`;
}

/** A short random word that tells step ids of one opening of a trajectory from those of another. */
export function newNonce(): string {
  return globalThis.crypto.randomUUID().slice(0, 4);
}

/** Longest id that is kept as it is. */
const LONGEST = 256;

/** An id given by a caller, or undefined where it cannot be one. */
export function usableId(id: unknown): string | undefined {
  return typeof id === "string" && id !== "" && id.length <= LONGEST ? id : undefined;
}
