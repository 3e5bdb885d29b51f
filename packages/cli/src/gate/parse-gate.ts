import { AsvError, showValue } from "@agent-step-value/sdk";

/** How a gate compares. */
export type GateOperator = ">=" | "<=" | ">" | "<" | "==";

/** A condition on one number of a report. */
export interface Gate {
  /** As it was written, for messages. */
  text: string;
  /** Name of the number, for example `mean_margin_gain`. */
  metric: string;
  /** What stands in parentheses: a step type in a report, a channel in a comparison. */
  of?: string;
  /** An end of the number's interval in place of the number. */
  end?: "low" | "high";
  operator: GateOperator;
  bound: number;
}

const OPERATORS: readonly GateOperator[] = [">=", "<=", "==", ">", "<"];

/**
 * A gate as it stands on a command line: `metric(part).end operator number`, part and end being optional,
 * for example `mean_margin_gain >= 0`, `damage_rate(audit) <= 0.1` or `mean_margin_gain.low > 0`.
 *
 * A part may hold any characters, parentheses and operators too: the last operator of the text counts.
 *
 * @throws AsvError `invalid_argument`
 */
export function parseGate(text: string): Gate {
  const place = lastOperator(text);
  if (place === undefined) throw unreadable(text, "it has none of the operators >=, <=, ==, > and <");
  const bound = Number(place.right.trim());
  if (place.right.trim() === "" || !Number.isFinite(bound)) {
    throw unreadable(text, `${showValue(place.right.trim())} is no number`);
  }
  return { text: text.trim(), ...subject(text, place.left.trim()), operator: place.operator, bound };
}

function lastOperator(text: string): { left: string; operator: GateOperator; right: string } | undefined {
  for (let at = text.length - 1; at > 0; at--) {
    for (const operator of OPERATORS) {
      const from = at - operator.length + 1;
      if (from <= 0 || text.slice(from, at + 1) !== operator) continue;
      return { left: text.slice(0, from), operator, right: text.slice(at + 1) };
    }
  }
  return undefined;
}

function subject(text: string, left: string): Pick<Gate, "metric" | "of" | "end"> {
  const [, end] = /\.(low|high)$/.exec(left) ?? [];
  const named = end === undefined ? left : left.slice(0, -end.length - 1).trimEnd();
  const open = named.indexOf("(");
  const metric = (open === -1 ? named : named.slice(0, open)).trim();
  if (!/^[a-z][a-z_]*$/.test(metric)) throw unreadable(text, `${showValue(metric)} is no name of a number`);
  if (open !== -1 && !named.endsWith(")")) throw unreadable(text, "its parenthesis is not closed");
  const of = open === -1 ? undefined : named.slice(open + 1, -1).trim();
  return {
    metric,
    ...(of !== undefined && { of }),
    ...(end !== undefined && { end: end as "low" | "high" }),
  };
}

function unreadable(text: string, why: string): AsvError {
  return new AsvError(
    "invalid_argument",
    `The gate ${showValue(text)} cannot be read: ${why}. Write it as metric>=number or metric(part)<=number.`,
    { gate: showValue(text) },
  );
}
