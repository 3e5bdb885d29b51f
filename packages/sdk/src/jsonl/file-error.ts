import { AsvError } from "../errors/index.ts";

const advice: Record<string, string> = {
  ENOENT: "Check the path.",
  EISDIR: "Name a file in it.",
  ENOTDIR: "Check the path.",
  EACCES: "Check the permissions.",
  EPERM: "Check the permissions.",
  ENOSPC: "Free some space and try again.",
  EDQUOT: "Free some space and try again.",
  EPIPE: "The program that was reading the output has ended.",
  ELOOP: "It is a symbolic link that leads back to itself.",
  EMFILE: "Too many files are open.",
  EROFS: "Choose a place that can be written.",
};

/** Turns a failure of the operating system into an error that names the path and what to do. */
export function fileError(path: string, attempt: string, error: unknown): AsvError {
  if (AsvError.isInstance(error)) return error;
  const errno = (error as NodeJS.ErrnoException | undefined)?.code ?? "unknown error";
  const hint = Object.hasOwn(advice, errno) ? ` ${advice[errno]}` : "";
  const message = `${path}: cannot ${attempt} (${errno}).${hint}`;
  return new AsvError("unreadable_source", message, { source: path, errno }, error);
}
