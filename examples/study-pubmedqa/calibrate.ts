import { lexicalEvaluator, NONE_OF_THE_ABOVE_PMI } from "@agent-step-value/sdk";
import { calibrationCurve, chooseConstant, topScores } from "./calibration.ts";
import { readQuestions } from "./questions.ts";

/**
 * Calibrates the fixed score of none-of-the-above in `lexical-v1` on a PubMedQA file:
 *
 *     node --conditions=@agent-step-value/source examples/study-pubmedqa/calibrate.ts FILE
 */
const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write("usage: calibrate.ts FILE   (PubMedQA questions, one JSON object a line)\n");
  process.exit(1);
}

const questions = await readQuestions(file);
const evaluator = lexicalEvaluator();
const scores = await topScores(evaluator, questions);
const curve = calibrationCurve(scores);
const percent = (rate: number): string => `${(100 * rate).toFixed(1)} %`.padStart(9);

console.log(`none-of-the-above on top, by its constant (nats); ${questions.length} questions`);
console.log(
  `own abstract: ${scores.own.length} states, foreign: ${scores.foreign.length}, bare question: ${scores.questionOnly.length}\n`,
);
console.log("constant       own   foreign  question  Youden J");
for (const { constant, noneOnOwn, noneOnForeign, noneOnQuestionOnly, youden } of curve) {
  const rates = [noneOnOwn, noneOnForeign, noneOnQuestionOnly].map(percent).join(" ");
  console.log(`${constant.toFixed(2).padStart(8)} ${rates}  ${youden.toFixed(4).padStart(8)}`);
}
const best = chooseConstant(curve);
console.log(
  `\nchosen by the rule: ${best.constant} (J = ${best.youden.toFixed(4)}); in the code: ${NONE_OF_THE_ABOVE_PMI}`,
);

for (const [name, rest] of [
  ["even", 0],
  ["odd", 1],
] as const) {
  const half = questions.filter((_, i) => i % 2 === rest);
  const other = questions.filter((_, i) => i % 2 !== rest);
  const { constant } = chooseConstant(calibrationCurve(await topScores(evaluator, half)));
  const held = calibrationCurve(await topScores(evaluator, other)).find(
    (point) => point.constant === constant,
  )!;
  console.log(`chosen on the ${name} half: ${constant}; J on the other half: ${held.youden.toFixed(4)}`);
}
