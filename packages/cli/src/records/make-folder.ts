import { AsvError } from "@agent-step-value/sdk";
import { makeDirectory } from "@agent-step-value/sdk/score";

/**
 * Makes a folder and those above it where they are missing.
 *
 * @throws AsvError `unreadable_source` where the folder cannot be made
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    makeDirectory(folder);
  } catch (error) {
    const message = `${folder}: cannot be made a folder (${(error as NodeJS.ErrnoException).code}).`;
    throw new AsvError("unreadable_source", message, { source: folder }, error);
  }
}
