// What it costs to bring a step of 1.6 KB states out of the process, and what is lost on the way.
//   node --conditions=@agent-step-value/source bench/otel-exporter/bench.ts [2|3] [rounds] [steps a round]
import { execFile, fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { oneTick } from "./one-tick.ts";
import { loadRig, type Line } from "./rig.ts";
import { BASELINE, variants } from "./variants.ts";
import { benchStates, STEPS_A_RUN } from "./workload.ts";

const [line = "2", rounds = "15", steps = "3000"] = process.argv.slice(2);
const RUNS = Number(steps) / STEPS_A_RUN;
const FLAGS = ["--conditions=@agent-step-value/source", "--expose-gc"];
const childFile = fileURLToPath(new URL("./variant-child.ts", import.meta.url));
const hangingFile = fileURLToPath(new URL("./hanging-child.ts", import.meta.url));

interface Turn {
  cpuMicros: number;
  arrived: number;
}

async function ask(child: ChildProcess, runs: number): Promise<Turn> {
  const answer = once(child, "message") as Promise<[Turn]>;
  child.send(runs);
  return (await answer)[0];
}

const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
};

/** Every variant takes its turn in every round, in an order that rotates. */
async function measure(): Promise<Map<string, Turn[]>> {
  const names = Object.keys(variants);
  const children = new Map<string, ChildProcess>();
  const turns = new Map(names.map((name) => [name, [] as Turn[]]));
  try {
    for (const name of names) {
      const child = fork(childFile, [line, name], { execArgv: FLAGS });
      children.set(name, child);
      await once(child, "message");
      await ask(child, 1000);
    }
    for (let round = 0; round < Number(rounds); round++) {
      for (let i = 0; i < names.length; i++) {
        const name = names[(i + round) % names.length]!;
        turns.get(name)!.push(await ask(children.get(name)!, RUNS));
      }
    }
  } finally {
    for (const child of children.values()) child.disconnect();
  }
  return turns;
}

const rig = await loadRig(line as Line);
console.log(
  `node ${process.version}, OpenTelemetry SDK ${rig.kit.line}, ${rounds} rounds of ${RUNS * STEPS_A_RUN} steps, ` +
    `${STEPS_A_RUN} a run, states of ${benchStates[0]![0]!.text.length} characters; CPU in µs a step, medians`,
);
const turns = await measure();
const baseline = turns.get(BASELINE)!;
for (const [name, own] of turns) {
  const ratios = own.map(({ cpuMicros }, round) => cpuMicros / baseline[round]!.cpuMicros);
  const sorted = ratios.toSorted((a, b) => a - b);
  const [low, high] = [sorted[0]!, sorted.at(-1)!];
  const lost = own.reduce((sum, { arrived }) => sum + RUNS * STEPS_A_RUN - arrived, 0);
  console.log(
    `${name.padEnd(40)} ${median(own.map(({ cpuMicros }) => cpuMicros))
      .toFixed(1)
      .padStart(7)}` +
      `   ${median(ratios).toFixed(2)} x (${low.toFixed(2)} to ${high.toFixed(2)})` +
      (name === "spans alone" ? "" : `   ${lost} lost`),
  );
}
console.log("\n10,000 steps in one tick");
await oneTick(rig);
console.log("\n100,000 steps beside an exporter that never answers");
for (const withOurs of ["no", "yes"]) {
  // A young generation of fixed size: the engine doubles it on its own account, by more than all else.
  const flags = [...FLAGS, "--max-semi-space-size=16"];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, hangingFile, line, withOurs]);
  console.log(`asvSpanProcessor ${withOurs.padEnd(4)} ${stdout.trim()}`);
}
