import { readPythonLiteral } from "../../python-literal/index.ts";

/** Exports write JSON as text, some of them twice. */
const MOST_LAYERS = 3;

/**
 * What an input, output or metadata field holds. It is a value, the JSON text of one (once or twice), what
 * Python's `repr` prints for one, or simply a text.
 */
export function langfuseValue(field: unknown): unknown {
  let value = field;
  for (let layer = 0; layer < MOST_LAYERS && typeof value === "string"; layer += 1) {
    const text = value.trim();
    if (!/^[[({"]/.test(text)) return value;
    const json = parsed(text);
    if (json === undefined) return readPythonLiteral(text) ?? value;
    value = json;
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
