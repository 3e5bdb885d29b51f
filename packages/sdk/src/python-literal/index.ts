export type { PythonNode, PythonPart } from "./python-node.ts";
export { reprBytes, reprText, reprValue } from "./python-repr.ts";
export { readPython, readPythonLiteral } from "./read-python.ts";
