/** Section names as abstracts have them, by the first group whose words occur in the name. */
const groups: readonly (readonly [string, RegExp])[] = [
  ["LONG_ANSWER", /^LONG_ANSWER$/],
  ["FOREIGN", /^FOREIGN$/],
  ["METHODS+RESULTS", /METHOD.*RESULT/],
  ["RESULTS", /RESULT|FINDING/],
  ["METHODS", /METHOD|DESIGN|SETTING|PATIENT|PARTICIPANT|INTERVENTION|OUTCOME|PROBAND/],
  ["BACKGROUND", /BACKGROUND|INTRODUCTION|RATIONALE/],
  ["OBJECTIVE", /OBJECTIVE|PURPOSE|AIM/],
];

/** Groups of section names, in the order a reader meets them. */
export const SECTION_GROUPS = [
  "BACKGROUND",
  "OBJECTIVE",
  "METHODS",
  "METHODS+RESULTS",
  "RESULTS",
  "OTHER",
  "LONG_ANSWER",
  "FOREIGN",
] as const;

/** The group of a step type such as `read:MATERIALS AND METHODS`. */
export function sectionGroup(action: string): string {
  const name = action.replace(/^read:/, "");
  return groups.find(([, words]) => words.test(name))?.[0] ?? "OTHER";
}
