import { integerOf } from "./integer.ts";
import { textOf } from "./json-fields.ts";

/** Lower bounds of a present-day time, 1973 and later, in ns, µs and ms. */
const [NANOS, MICROS, MILLIS] = [100_000_000_000_000_000n, 100_000_000_000_000n, 100_000_000_000n];

/**
 * Nanoseconds since 1970 of what dumps hold: a pair of seconds and nanoseconds, an integer of any unit
 * (told by its size), or an ISO text. Undefined for anything else.
 */
export function nanosOf(value: unknown): bigint | undefined {
  if (Array.isArray(value)) {
    const [seconds, nanos] = [integerOf(value[0]), integerOf(value[1])];
    return seconds === undefined || nanos === undefined ? undefined : seconds * 1_000_000_000n + nanos;
  }
  const whole = integerOf(value);
  if (whole === undefined) return isoNanos(textOf(value));
  if (whole >= NANOS) return whole;
  if (whole >= MICROS) return whole * 1000n;
  const fine = typeof value === "number" ? BigInt(Math.round((value % 1) * 1e6)) : 0n;
  if (whole >= MILLIS) return whole * 1_000_000n + fine;
  return whole * 1_000_000_000n + fine * 1000n;
}

/** `2026-03-01T10:00:00.123456789Z`; digits beyond milliseconds are kept, and no zone means UTC. */
function isoNanos(text: string | undefined): bigint | undefined {
  if (text === undefined || text.length > 40) return undefined;
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9})\d*)?(Z|[+-]\d\d:?\d\d)?$/i.exec(text);
  if (match === null) return undefined;
  const [, date, time, fraction = "", zone = "Z"] = match;
  const offset = /^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
  const ms = Date.parse(`${date}T${time}${offset.toUpperCase()}`);
  if (Number.isNaN(ms)) return undefined;
  return BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
}
