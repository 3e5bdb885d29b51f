import { executeInside } from "../runs/inside-tool.ts";

type Inside = <T>(work: () => T) => T;
type Execute = (...args: unknown[]) => unknown;

function copyOf<T extends object>(value: T): T {
  return Object.create(
    Object.getPrototypeOf(value) as object | null,
    Object.getOwnPropertyDescriptors(value),
  ) as T;
}

function wrappedTool(tool: unknown, inside: Inside): unknown {
  if (typeof tool !== "object" || tool === null) return tool;
  const { execute } = tool as { execute?: unknown };
  // A tool without code of its own is run by provider or caller.
  if (typeof execute !== "function") return tool;
  return Object.defineProperty(copyOf(tool), "execute", {
    value: (...args: unknown[]) =>
      executeInside(inside, () => Reflect.apply(execute as Execute, tool, args) as unknown),
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

/**
 * A copy of a tool set whose tools run their code inside a run. AI SDK 5 and 6 have no hook for it. The
 * host's tools are not changed and are still their own `this`.
 */
export function wrapTools(tools: unknown, inside: Inside): unknown {
  if (typeof tools !== "object" || tools === null) return tools;
  const copy = copyOf(tools) as Record<string, unknown>;
  for (const name of Object.keys(tools)) {
    const value = wrappedTool((tools as Record<string, unknown>)[name], inside);
    Object.defineProperty(copy, name, { value, configurable: true, enumerable: true, writable: true });
  }
  return copy;
}
