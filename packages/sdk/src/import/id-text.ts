/** An id as text, where it is a text or a number; undefined for anything else and for an empty text. */
export function idText(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
