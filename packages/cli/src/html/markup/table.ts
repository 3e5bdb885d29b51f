import { markup, type HtmlValue, type SafeHtml } from "./markup.ts";

/** One column of a table. Numbers stand to the right; a row's name is its header cell. */
export interface TableColumn<Row> {
  title: HtmlValue;
  kind?: "number" | "rowHeader" | "text";
  cell: (row: Row) => HtmlValue;
}

/**
 * A table with a caption, column and row headers, in a region that scrolls sideways where the page is
 * narrow and that a keyboard can reach for it.
 *
 * @param id of the caption, unique in the report
 */
export function dataTable<Row>(
  { id, caption, className = "" }: { id: string; caption: HtmlValue; className?: string },
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
): SafeHtml {
  return markup`<div class="scroll" role="region" aria-labelledby="${id}" tabindex="0">
<table class="${className}"><caption id="${id}">${caption}</caption>
<thead><tr>${columns.map(headerCell)}</tr></thead>
<tbody>${rows.map((row) => tableRow(columns, row))}</tbody></table></div>
`;
}

function tableRow<Row>(columns: readonly TableColumn<Row>[], row: Row): SafeHtml {
  return markup`<tr>${columns.map(({ kind, cell }) => bodyCell(kind, cell(row)))}</tr>
`;
}

/** A header cell of {@link dataTable}. */
export function headerCell({ title, kind }: Pick<TableColumn<unknown>, "title" | "kind">): SafeHtml {
  return kind === "number"
    ? markup`<th scope="col" class="num">${title}</th>`
    : markup`<th scope="col">${title}</th>`;
}

function bodyCell(kind: TableColumn<unknown>["kind"], content: HtmlValue): SafeHtml {
  if (kind === "rowHeader") return markup`<th scope="row">${content}</th>`;
  return kind === "number" ? markup`<td class="num">${content}</td>` : markup`<td>${content}</td>`;
}
