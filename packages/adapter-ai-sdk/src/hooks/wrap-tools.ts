import { executeInside, type ToolRun } from "../runs/inside-tool.ts";
import { withFields } from "./with-fields.ts";

type Execute = (...args: unknown[]) => unknown;

/**
 * A copy of a tool set whose tools run their code inside a run. The host's tools are not changed and are
 * still the `this` of their code; those without code of their own, which provider or caller run, stay.
 */
export function wrapTools(tools: unknown, run: ToolRun): unknown {
  if (typeof tools !== "object" || tools === null) return tools;
  const changes: [string, object][] = [];
  for (const name of Object.keys(tools)) {
    const tool = (tools as Record<string, unknown>)[name];
    if (typeof tool !== "object" || tool === null) continue;
    const { execute } = tool as { execute?: unknown };
    if (typeof execute !== "function") continue;
    const inside = (...args: unknown[]) =>
      executeInside(run, () => Reflect.apply(execute as Execute, tool, args) as unknown);
    changes.push([name, withFields(tool, { execute: inside })]);
  }
  return changes.length === 0 ? tools : withFields(tools, Object.fromEntries(changes));
}
