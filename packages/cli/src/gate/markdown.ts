import { signed, interval, percent, plain } from "../terminal/number.ts";
import { printable } from "../terminal/table.ts";
import type { ChannelComparison, Summary } from "@agent-step-value/sdk";
import type { GateResult } from "./evaluate-gate.ts";

/** No caution is longer; a name that is says nothing more. */
const LONGEST = 600;
/** More rows than this are no table to read on a CI page. */
const ROWS = 25;

/** A report for a CI page, in GitHub's Markdown. */
export function reportMarkdown(
  head: { title: string; measured: string; cautions: readonly string[] },
  summary: Summary,
  results: readonly GateResult[],
): string {
  const { marginGain, surprise, entropyMovement, stepTypes } = summary;
  const types = stepTypes.slice(0, ROWS);
  return page([
    `## ${cell(head.title)}`,
    cell(head.measured),
    ...cautionLines(head.cautions),
    ...gateTable(results),
    table(
      ["number", "value", "95 % interval"],
      [
        ["mean margin gain, nats", signed(marginGain.mean), interval(marginGain.interval)],
        [
          "damage, of steps that had the target ahead",
          `${percent(marginGain.damage.rateOfEligible)} (${marginGain.damage.count} of ${marginGain.damage.eligible})`,
          "",
        ],
        [
          "repair, of steps that had not",
          `${percent(marginGain.repair.rateOfEligible)} (${marginGain.repair.count} of ${marginGain.repair.eligible})`,
          "",
        ],
        ["mean surprise, nats", plain(surprise?.mean), ""],
        ["mean entropy movement, nats", signed(entropyMovement?.mean), ""],
      ],
    ),
    table(
      ["step type", "steps", "mean gain", "95 % interval", "damage", "repair"],
      types.map((type) => [
        type.action,
        String(type.allSteps),
        signed(type.mean),
        interval(type.interval),
        `${type.damage.count} (${percent(type.damage.rateOfEligible)})`,
        `${type.repair.count} (${percent(type.repair.rateOfEligible)})`,
      ]),
    ),
    ...(stepTypes.length > ROWS ? [`and ${stepTypes.length - ROWS} more step types`] : []),
  ]);
}

/** Comparisons for a CI page. */
export function comparisonMarkdown(
  head: { title: string; cautions: readonly string[] },
  comparisons: readonly ChannelComparison[],
  results: readonly GateResult[],
): string {
  return page([
    `## ${cell(head.title)}`,
    ...cautionLines(head.cautions),
    ...gateTable(results),
    table(
      [
        "channel",
        "against",
        "pairs",
        "signed effect",
        "95 % interval",
        "absolute",
        "95 % interval",
        "signs differ",
      ],
      comparisons.map(({ a, b, all }) => [
        a.name,
        b.name,
        String(all.pairs),
        signed(all.signed.mean),
        interval(all.signed.interval),
        plain(all.absolute.mean),
        interval(all.absolute.interval),
        `${percent(all.signDisagreement.rate.mean)} of ${all.signDisagreement.bothMoved}`,
      ]),
    ),
  ]);
}

function gateTable(results: readonly GateResult[]): string[] {
  if (results.length === 0) return [];
  return [
    table(
      ["gate", "result", "number"],
      results.map(({ gate, passed, value, absent }) => [
        gate.text,
        passed ? "passed" : "**failed**",
        value === undefined ? (absent ?? "absent") : String(value),
      ]),
    ),
  ];
}

function cautionLines(cautions: readonly string[]): string[] {
  return cautions.length === 0 ? [] : [cautions.map((caution) => `> ${cell(caution)}`).join("\n>\n")];
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(titles),
    line(titles.map(() => "---")),
    ...rows.map((row) => line(row.map((text) => (text === "**failed**" ? text : cell(text))))),
  ].join("\n");
}

function page(parts: readonly string[]): string {
  return `${parts.join("\n\n")}\n`;
}

/** Names of step types come from agent runs: nothing of them is markup, a link, a mention or a new line. */
function cell(text: string): string {
  return printable(text, LONGEST)
    .replace(/[&<>]/g, (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[character]!)
    .replace(/[\\`*_[\]|~@]|:(?=\/\/)|(?<=www)\./gi, (character) => `&#${character.charCodeAt(0)};`);
}
