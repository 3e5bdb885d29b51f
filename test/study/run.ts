// Writes the synthetic study of the paper's shape, so that every command can be tried on it:
//   node --conditions=@agent-step-value/source test/study/run.ts FOLDER [SEED] [TRAJECTORIES]
import { writeStudy } from "./write-study.ts";

const [folder, seed = "7", trajectories = "100"] = process.argv.slice(2);
if (folder === undefined) {
  console.error("give the folder to write to");
  process.exit(1);
}
const files = await writeStudy(folder, {
  seed: Number(seed),
  trajectories: Number(trajectories),
  balanced: true,
});
console.log(`wrote ${[files.runs, ...files.scores, "truth.json"].join(", ")} to ${folder}; try
  npx asv report ${files.runs} ${files.scores[1]}
  npx asv compare ${files.runs} ${files.scores.join(" ")}
  npx asv audit ${files.runs} ${files.scores.slice(0, 2).join(" ")}`);
