import { parseArgs } from "node:util";
import { AsvError } from "@agent-step-value/sdk";
import { evaluators } from "./evaluators.ts";
import { printStudy } from "./print-study.ts";
import { runStudy } from "./study.ts";

/**
 * How far an evaluator can be trusted on PubMedQA:
 *
 *     npm run study:pubmedqa -- FILE [--evaluator lexical] [--json]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { evaluator: { type: "string", default: "lexical" }, json: { type: "boolean", default: false } },
});
const [file] = positionals;
const create = Object.hasOwn(evaluators, values.evaluator) ? evaluators[values.evaluator] : undefined;
if (file === undefined || create === undefined) {
  const known = Object.keys(evaluators).join(", ");
  process.stderr.write(`usage: run.ts FILE [--evaluator NAME] [--json]   (evaluators: ${known})\n`);
  process.exit(1);
}
try {
  const result = await runStudy(file, create());
  console.log(values.json ? JSON.stringify(result, null, 2) : printStudy(result));
} catch (error) {
  if (!AsvError.isInstance(error)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
