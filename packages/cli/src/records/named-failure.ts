import { AsvError, showValue } from "@agent-step-value/sdk";

/**
 * Does something with one record of a file; a failure then names file and record, and counts as bad input,
 * since the record is the caller's and not the command line.
 */
export function withRecordName<T>(file: string, kind: string, id: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!AsvError.isInstance(error)) throw error;
    const code = error.code === "invalid_argument" ? "invalid_record" : error.code;
    const message = `${file}: ${kind} ${showValue(id)}: ${error.message}`;
    throw new AsvError(code, message, { ...error.fields, source: file, record: id }, error);
  }
}
