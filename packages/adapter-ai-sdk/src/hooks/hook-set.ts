/** Which majors' hooks a call is given. Several where it cannot be told: what is heard twice counts once. */
export interface HookSet {
  readonly v5: boolean;
  readonly v6: boolean;
  readonly v7: boolean;
}

const ALL: HookSet = { v5: true, v6: true, v7: true };

/** Finds the major of an imported `ai` by what it exports; part of one gets all hooks. */
export function hooksOfNamespace(ai: object): HookSet {
  if ("registerTelemetry" in ai) return { v5: false, v6: false, v7: true };
  if ("registerTelemetryIntegration" in ai) return { v5: false, v6: true, v7: false };
  const isWhole = "Experimental_Agent" in ai && "generateText" in ai && !("ToolLoopAgent" in ai);
  return isWhole ? { v5: true, v6: false, v7: false } : ALL;
}

/** Agents of AI SDK 6 and 7 say their version; that of 5 does not, and takes its hooks in another way. */
export function hooksOfAgent(agent: object): HookSet {
  return "version" in agent ? { v5: false, v6: true, v7: true } : { v5: true, v6: false, v7: false };
}

/** AI SDK 7 lists with a step the messages of that step; undefined where the major is not known. */
export function listsOneStep({ v5, v6, v7 }: HookSet): boolean | undefined {
  return v5 || v6 ? (v7 ? undefined : false) : true;
}
