export { checkRationale, type RationaleCheck, type RationaleToCheck } from "./check-rationale.ts";
