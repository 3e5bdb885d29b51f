import type { AI, Major } from "./majors.test-support.ts";

/** Gives the events that reach our hook in place of one of the SDK's. */
export type Tamper = (hook: string, event: any) => readonly (readonly [string, unknown])[];

type Hook = (event: unknown) => unknown;
type Settings = Record<string, any>;

/** Puts `tamper` between the SDK and the hooks of ours that capture put into a call's settings. */
function tampered(
  settings: Settings,
  tamper: Tamper,
  deliver: (send: (hook: string, event: unknown) => void) => void,
): Settings {
  const copy: Settings = { ...settings };
  const integrations: any[] = [...(settings["experimental_telemetry"]?.integrations ?? [])];
  const ours = integrations.pop();
  const hooks: Record<string, Hook> = {};
  for (const name of [
    "onStepStart",
    "onStepEnd",
    "onStepError",
    "onStepFinish",
    "onEnd",
    "onFinish",
    "onAbort",
    "onError",
  ]) {
    const hook: unknown = ours?.[name] ?? settings[name];
    if (typeof hook === "function") hooks[name] = hook as Hook;
  }
  const { prepareStep } = settings;
  if (typeof prepareStep === "function") hooks["prepareStep"] = prepareStep as Hook;
  const send = (hook: string, event: unknown) => hooks[hook]?.(event);
  deliver(send);
  const through = (name: string) => async (event: unknown) => {
    let last: unknown;
    for (const [hook, changed] of tamper(name, event)) last = await send(hook, changed);
    return last;
  };
  const own = Object.fromEntries(Object.keys(hooks).map((name) => [name, through(name)]));
  if (ours === undefined) Object.assign(copy, own);
  else
    copy["experimental_telemetry"] = {
      ...settings["experimental_telemetry"],
      integrations: [...integrations, own],
    };
  return copy;
}

/** The `ai` of a major whose text calls tell our hooks something else. */
export function tamperedMajor(
  major: Major,
  tamper: Tamper,
  deliver: (send: (hook: string, event: unknown) => void) => void = () => undefined,
): Pick<Major, "ai"> {
  const ai: AI = { ...major.ai };
  for (const name of ["generateText", "streamText"]) {
    ai[name] = (settings: Settings) => major.ai[name](tampered(settings, tamper, deliver));
  }
  return { ai };
}

/** A copy of an object, of whatever class, without one field, however deep. */
export function without(value: any, path: readonly string[]): any {
  const [name, ...rest] = path as [string, ...string[]];
  const fields = Object.getOwnPropertyDescriptors(value) as Record<string, PropertyDescriptor>;
  if (rest.length === 0) {
    if (Array.isArray(value)) return value.filter((_, i) => String(i) !== name);
    delete fields[name];
    // A getter of the class would still give it.
    if (name in Object(value)) fields[name] = { value: undefined, configurable: true };
    return Object.create(Object.getPrototypeOf(value) as object | null, fields);
  }
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === name ? without(item, rest) : item));
  fields[name] = { ...fields[name], value: without(value[name], rest) };
  return Object.create(Object.getPrototypeOf(value) as object | null, fields);
}

/** Paths of all fields of a value, to a depth. */
export function pathsOf(value: unknown, depth: number): string[][] {
  if (typeof value !== "object" || value === null || depth === 0) return [];
  return Object.keys(value).flatMap((name) => [
    [name],
    ...pathsOf((value as Record<string, unknown>)[name], depth - 1).map((path) => [name, ...path]),
  ]);
}
