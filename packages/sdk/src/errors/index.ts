export { AsvError, type AsvErrorCode, type AsvErrorFields } from "./asv-error.ts";
export { InvalidArgumentError } from "./invalid-argument.ts";
export { InvalidRecordError, type RecordPlace } from "./invalid-record.ts";
export { showValue } from "./show-value.ts";
