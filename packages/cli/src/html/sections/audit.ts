import type {
  AttributionAudit,
  AuditRow,
  AuditTable,
  AuditWarning,
  CrossingRate,
  Estimate,
  SignDisagreement,
} from "@agent-step-value/sdk";
import { auditResamplingCautions } from "../../compare/audit-text.ts";
import { sameAsBaseline } from "../../compare/same-measurement.ts";
import { capitalised, foreign, plural, sentence } from "../markup/foreign.ts";
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
    cell: ({ channel, isBaseline }) => channelCell(channel, isBaseline),
  },
  { title: "State", cell: ({ slice }) => foreign(slice, 24) },
  { title: "Buffer", cell: ({ buffer }) => foreign(buffer, 40) },
  { title: "n", kind: "number", cell: ({ steps }) => count(steps) },
  { title: "Mean G", kind: "number", cell: ({ marginGain }) => withInterval(marginGain, signedNumber) },
  { title: "Gap", kind: "number", cell: ({ gap }) => withInterval(gap, signedNumber) },
  {
    title: "Absolute gap",
    kind: "number",
    cell: ({ absoluteGap }) => withInterval(absoluteGap, plainNumber),
  },
  { title: "Flip", kind: "number", cell: ({ flip }) => flipCell(flip) },
  { title: "Damage", kind: "number", cell: ({ damage }) => crossingCell(damage) },
  { title: "Repair", kind: "number", cell: ({ repair }) => crossingCell(repair) },
];

function channelCell(name: string, isBaseline: boolean): SafeHtml {
  return markup`${foreign(name, 40)}${isBaseline && markup` <small class="under">baseline</small>`}`;
}

function withInterval(estimate: Estimate, number: (value: number | undefined) => SafeHtml): SafeHtml {
  return markup`${number(estimate.mean)} <small class="under">${intervalOf(estimate, number)}</small>`;
}

function flipCell({ rate, disagree, bothMoved }: SignDisagreement): SafeHtml {
  return markup`${percentage(rate.mean)} <small class="under">${count(disagree)} of ${count(bothMoved)}</small>`;
}

/** Share of all transitions of the row, as the paper prints it, and of those at which it could happen. */
function crossingCell({ rate, rateOfEligible, eligible }: CrossingRate): SafeHtml {
  return markup`${percentage(rate)} <small class="under">${percentage(rateOfEligible)} of ${count(eligible)}</small>`;
}

/** Warnings that stand with what they are about. */
const SAID_ELSEWHERE: ReadonlySet<AuditWarning> = new Set(["selected_on_outcome", "missing_channels"]);

/** The paper's Table 2: which element of the channel carries the difference. */
export function auditSection({ audit }: ReportInput): HtmlValue {
  if (audit === undefined) return undefined;
  const { baseline, contrast, warnings } = audit;
  const same = sameAsBaseline(audit).map(
    (name) =>
      markup`${foreign(name, 40)} and ${foreign(baseline, 40)} are the same measurement: not one gain differs.`,
  );
  const missing = audit.missingChannels.map((name) => foreign(name, 40));
  return section(
    "audit",
    "Which part of the channel carries the difference",
    markup`<p class="intro">One frozen set of transitions through several channels, each against
<strong>${foreign(baseline)}</strong>. The gap between it and <strong>${foreign(contrast)}</strong> is what is to be
explained: a row that stays close to the baseline takes the element it changes off the list of suspects.</p>
`,
    cautionList([
      ...warnings.filter((warning) => !SAID_ELSEWHERE.has(warning)).map((warning) => AUDIT_WARNINGS[warning]),
      ...auditResamplingCautions(audit).map(sentence),
      ...same,
    ]),
    missing.length > 0 && markup`<p>Not measured: ${joined(missing)}.</p>`,
    audit.tables.map((table, at) => auditTable(table, at, audit)),
  );
}

function auditTable(table: AuditTable, at: number, { excluded }: AttributionAudit): SafeHtml {
  const { sample, selected, population, selectedOnOutcome, rows, perTrajectory } = table;
  const caption = markup`Attribution audit, ${AUDIT_SAMPLES[sample]} (nats)`;
  const most = perTrajectory !== undefined && `, at most ${perTrajectory} a run`;
  return markup`<h3>${capitalised(AUDIT_SAMPLES[sample])}</h3>
${selectedOnOutcome && selectionCaution}
<p>${count(selected)} of ${plural(population, "clean transition")}${most}. Left out: ${count(excluded.unclean)} with a
doubtful flag, ${count(excluded.notPaired)} not measured in both, ${count(excluded.mismatched)} not the same
transition.</p>
${dataTable({ id: `audit-${at}-caption`, caption }, columns, rows)}
<p class="note">Gap: mean of G minus the baseline's G. Flip: opposite signs among transitions that moved in both.
Damage and repair as shares of all transitions of the row; below, of those at which they could happen.</p>
`;
}

const selectionCaution = markup`<p class="caution"><strong>Selected on the outcome.</strong> These transitions were
picked for the very difference that the table shows. Read its rows against each other, never as the size of an
effect.</p>
`;
