import type { Reader } from "protobufjs";

const [VARINT, FIXED64, BYTES] = [0, 1, 2];

/**
 * Which signal a record belongs to. The three signals' messages are alike down to the record, so the
 * fields of a record decide: a span has ids in its first two and times in 7 and 8, a log
 * record a time in 1 or 11, a metric a name in 1.
 *
 * @throws for bytes that are no protobuf message
 */
export function recordSignal(reader: Reader): "span" | "log" | "other" {
  let anything = false;
  let named = false;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const [field, wire] = [tag >>> 3, tag & 7];
    anything = true;
    if ((field === 7 || field === 8) && wire === FIXED64) return "span";
    if ((field === 1 || field === 11) && wire === FIXED64) return "log";
    if (field === 2 && wire === VARINT) return "log";
    if (field === 1 && wire === BYTES) {
      if (reader.bytes().length === 16 && nextIsSpanId(reader)) return "span";
      named = true;
    } else reader.skipType(wire);
  }
  return named || !anything ? "other" : "log";
}

/** A name of 16 bytes is followed by no field of 8. */
function nextIsSpanId(reader: Reader): boolean {
  const at = reader.pos;
  if (at >= reader.len) return false;
  const found = reader.uint32() === ((2 << 3) | BYTES) && reader.bytes().length === 8;
  reader.pos = at;
  return found;
}
