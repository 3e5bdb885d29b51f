import { field, isMap, opened, textField, textOf } from "./foreign-json.ts";
import type { Piece } from "./piece.ts";

const LISTS = ["documents", "results", "output", "outputs", "data"];

/** The text of a retrieved document in the fields that retrievers use; its ids, scores and metadata are the store's. */
function documentText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isMap(value)) return textOf(value);
  const kwargs = field(value, "kwargs");
  const body = Object.hasOwn(value, "lc") && isMap(kwargs) ? kwargs : value;
  const inner = field(body, "document");
  return (
    textField(body, "pageContent", "page_content", "content", "text", "document", "body") ??
    (isMap(inner) ? textField(inner, "content", "text", "page_content") : undefined) ??
    textOf(body)
  );
}

/** Retrieved documents as evidence, one piece each; undefined where nothing was recorded. */
export function documentPieces(value: unknown, name?: string): readonly Piece[] | undefined {
  if (value === undefined || value === null) return undefined;
  const open = opened(value);
  let list: unknown = open;
  if (isMap(open)) list = LISTS.map((key) => field(open, key)).find(Array.isArray) ?? [open];
  const documents: readonly unknown[] = Array.isArray(list) ? list : [list];
  return documents
    .map(documentText)
    .filter((text) => text !== undefined && text !== "")
    .map((text): Piece => ({
      is: "field",
      kind: "evidence",
      text: text!,
      ...(name !== undefined && { name }),
    }));
}
