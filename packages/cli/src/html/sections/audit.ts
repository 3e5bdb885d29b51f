import type { AttributionAudit, AuditRow, AuditTable, CrossingRate } from "@agent-step-value/sdk";
import { foreign, plural } from "../markup/foreign.ts";
import { joined, markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";
import { count, percentage, plainNumber, signedNumber } from "../markup/number.ts";
import { dataTable, type TableColumn } from "../markup/table.ts";
import type { ReportInput } from "../report-input.ts";
import { AUDIT_SAMPLES, AUDIT_WARNINGS } from "../words/comparison-words.ts";
import { intervalOf } from "../words/estimate-words.ts";
import { cautionList, section } from "./section.ts";

const columns: readonly TableColumn<AuditRow>[] = [
  {
    title: "Channel",
    kind: "rowHeader",
    cell: ({ channel, isBaseline }) =>
      markup`${foreign(channel, 40)}${isBaseline && markup` <small>baseline</small>`}`,
  },
  { title: "State", cell: ({ slice }) => foreign(slice, 24) },
  { title: "Buffer", cell: ({ buffer }) => foreign(buffer, 40) },
  { title: "n", kind: "number", cell: ({ steps }) => count(steps) },
  { title: "Mean G", kind: "number", cell: ({ marginGain }) => signedNumber(marginGain.mean) },
  { title: "95 % interval", kind: "number", cell: ({ marginGain }) => intervalOf(marginGain) },
  { title: "Gap", kind: "number", cell: ({ gap }) => signedNumber(gap.mean) },
  { title: "95 % interval", kind: "number", cell: ({ gap }) => intervalOf(gap) },
  { title: "Abs. gap", kind: "number", cell: ({ absoluteGap }) => plainNumber(absoluteGap.mean) },
  {
    title: "Flip",
    kind: "number",
    cell: ({ flip }) => markup`${percentage(flip.rate.mean)} <small>of ${count(flip.bothMoved)}</small>`,
  },
  {
    title: "Damage / repair",
    kind: "number",
    cell: ({ damage, repair }) => markup`${ofAll(damage)} / ${ofAll(repair)}`,
  },
  {
    title: "of eligible",
    kind: "number",
    cell: ({ damage, repair }) =>
      markup`${percentage(damage.rateOfEligible)} / ${percentage(repair.rateOfEligible)}`,
  },
];

/** The paper's Table 2: which element of the channel carries the difference. */
export function auditSection({ audit }: ReportInput): HtmlValue {
  if (audit === undefined) return undefined;
  const { baseline, contrast, warnings } = audit;
  const missing = audit.missingChannels.map((name) => foreign(name, 40));
  return section(
    "audit",
    "Which part of the channel carries the difference",
    markup`<p class="intro">One frozen set of transitions through several channels, each against
<strong>${foreign(baseline)}</strong>. The gap between it and <strong>${foreign(contrast)}</strong> is what is to be
explained: a row that stays close to the baseline takes the element it changes off the list of suspects.</p>
`,
    cautionList(warnings.map((warning) => AUDIT_WARNINGS[warning])),
    missing.length > 0 && markup`<p>Not measured: ${joined(missing)}.</p>`,
    audit.tables.map((table, at) => auditTable(table, at, audit)),
  );
}

function auditTable(table: AuditTable, at: number, { excluded }: AttributionAudit): SafeHtml {
  const { sample, selected, population, selectedOnOutcome, rows, perTrajectory } = table;
  const caption = markup`Attribution audit, ${AUDIT_SAMPLES[sample]} (nats)`;
  const most = perTrajectory !== undefined && `, at most ${perTrajectory} a run`;
  return markup`<h3>${sentenceCase(AUDIT_SAMPLES[sample])}</h3>
${selectedOnOutcome && selectionCaution}
<p>${count(selected)} of ${plural(population, "clean transition")}${most}. Left out: ${count(excluded.unclean)} with a
doubtful flag, ${count(excluded.notPaired)} not measured in both, ${count(excluded.mismatched)} not the same
transition.</p>
${dataTable({ id: `audit-${at}-caption`, caption }, columns, rows)}
<p class="note">Gap: mean of G minus the baseline's G. Flip: opposite signs among transitions that moved in both.
Damage and repair as shares of all transitions of the row, then of those at which they could happen.</p>
`;
}

const selectionCaution = markup`<p class="caution"><strong>Selected on the outcome.</strong> These transitions were
picked for the very difference that the table shows. Read its rows against each other, never as the size of an
effect.</p>
`;

function sentenceCase(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function ofAll({ rate }: CrossingRate): SafeHtml {
  return percentage(rate);
}
