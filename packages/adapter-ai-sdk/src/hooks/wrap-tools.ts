import { executeInside, type ToolRun } from "../runs/inside-tool.ts";

type Execute = (...args: unknown[]) => unknown;

/** A copy with some fields replaced; of an instance of a class, with its accessors as they are. */
function copyOf<T extends object>(value: T, changes: object): T {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === Object.prototype) return { ...value, ...changes };
  const copy = Object.create(prototype, Object.getOwnPropertyDescriptors(value)) as T;
  return Object.defineProperties(copy, Object.getOwnPropertyDescriptors(changes)) as T;
}

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
    changes.push([name, copyOf(tool, { execute: inside })]);
  }
  return changes.length === 0 ? tools : copyOf(tools, Object.fromEntries(changes));
}
