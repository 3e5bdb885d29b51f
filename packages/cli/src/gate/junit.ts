import { resultText } from "./result-text.ts";
import type { GateResult } from "./evaluate-gate.ts";

/**
 * Gates as a JUnit XML file, the form that CI services show: a test case a gate. Cautions stand in the
 * suite's output, so that a green result does not hide them.
 */
export function junitXml(suite: string, results: readonly GateResult[], cautions: readonly string[]): string {
  const failures = results.filter(({ passed }) => !passed).length;
  const cases = results.map((result) => {
    const head = `    <testcase classname="${xml(suite)}" name="${xml(result.gate.text)}"`;
    if (result.passed) return `${head}/>`;
    return `${head}>\n      <failure message="${xml(resultText(result))}"/>\n    </testcase>`;
  });
  const output = cautions.length === 0 ? [] : [`    <system-out>${xml(cautions.join("\n"))}</system-out>`];
  const counts = `tests="${results.length}" failures="${failures}" errors="0" skipped="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${xml(suite)}" ${counts}>`,
    ...cases,
    ...output,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** XML 1.0 has no way to write most control characters and no lone surrogates, not even escaped. */
function xml(text: string): string {
  return text
    .replace(/[^\P{Cc}\t\n\r]|[\p{Cs}\ufffe\uffff]/gu, "\ufffd")
    .replace(/[&<>"'\t\n\r]/g, (character) => ENTITIES[character]!);
}
