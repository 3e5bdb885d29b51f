/** What tracers put before or behind a tool's name in the name of its span. */
const BEFORE = /^(?:execute_tool |running tool: |tools\/call |tool\.|tool: )/;
const BEHIND = /\.tool$/;

/**
 * A tool's own name out of a span's. A handoff of OpenAI's Agents SDK is the call of a tool that has
 * another name.
 */
export function toolName(name: string): string {
  const to = /^handoff to (.+)$/.exec(name)?.[1];
  if (to !== undefined) return `transfer_to_${to.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_")}`;
  const bare = name.replace(BEFORE, "").replace(BEHIND, "").trim();
  return bare === "" ? name : bare;
}
