import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fixtureTrajectory } from "@agent-step-value/sdk/testing";
import { encodeTrajectory } from "@agent-step-value/sdk";
import { writeFileSync } from "node:fs";
import { asv, asvDone } from "./asv-command.ts";
import { check } from "./checks.ts";
import { startCollector } from "./collector.ts";
import { compareRuns, lossesOf } from "./compare-runs.ts";
import { importFiles } from "./import-files.ts";
import type { Workshop } from "./round-trip.ts";

interface Line {
  resourceLogs?: { scopeLogs: { logRecords: LogRecord[] }[] }[];
  resourceSpans?: { scopeSpans: { spans: SpanRecord[] }[] }[];
}
interface LogRecord {
  eventName?: string;
  traceId: string;
  spanId: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}
interface SpanRecord {
  name: string;
  traceId: string;
  spanId: string;
}

/** Step values as `gen_ai.evaluation.result` records beside the spans, and no way back for them. */
export async function checkEvaluations({ program, config, folder }: Workshop): Promise<void> {
  const runs = join(folder, "scored.asv.jsonl");
  const scores = join(folder, "scores.jsonl");
  const lines = Array.from({ length: 20 }, (_, i) =>
    JSON.stringify(encodeTrajectory(fixtureTrajectory({ trajectoryId: `run-${i}` }))),
  );
  writeFileSync(runs, `${lines.join("\n")}\n`);
  await asvDone(
    "score",
    runs,
    "--evaluator",
    "lexical",
    "--protocol",
    "direct",
    "--out",
    scores,
    "--cache",
    join(folder, "cache"),
  );
  const collector = await startCollector(program, { config, out: join(folder, "evaluated") });
  const sent = [
    await asv("export", runs, "--as", "otlp", "--endpoint", collector.http),
    // As after an interruption: what arrived already must fold.
    await asv("export", runs, "--as", "otlp", "--endpoint", collector.http),
    await asv("export", runs, scores, "--as", "otlp-evaluations", "--endpoint", collector.http),
  ];
  await collector.stop();
  check(
    "runs and their step values are sent",
    sent.every(({ status }) => status === 0),
  );

  const read = (name: string): Line[] =>
    readFileSync(join(collector.out, name), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Line);
  const records = read("logs.jsonl").flatMap(({ resourceLogs }) =>
    (resourceLogs ?? []).flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords)),
  );
  const spans = read("traces.jsonl").flatMap(({ resourceSpans }) =>
    (resourceSpans ?? []).flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
  const steps = new Set(
    spans.filter(({ name }) => name === "asv.step").map(({ traceId, spanId }) => traceId + spanId),
  );
  check(
    "one gen_ai.evaluation.result a step and metric",
    records.length === steps.size * 3,
    `${records.length} records, ${steps.size} steps`,
  );
  check(
    "each on its step's span",
    records.every(
      ({ eventName, traceId, spanId }) =>
        eventName === "gen_ai.evaluation.result" && steps.has(traceId + spanId),
    ),
  );
  const text =
    readFileSync(join(collector.out, "logs.jsonl"), "utf8") +
    readFileSync(join(collector.out, "traces.jsonl"), "utf8");
  const { goldCandidateId, candidates } = fixtureTrajectory().task.candidateSpace;
  const secret = [goldCandidateId!, ...candidates.map((candidate) => candidate.text)];
  check("no target and no candidate's text left", !secret.some((word) => text.includes(word)));

  const imported = join(folder, "imported.jsonl");
  const { status, report } = await importFiles(
    [join(collector.out, "traces.jsonl"), join(collector.out, "logs.jsonl")],
    imported,
  );
  const losses = lossesOf(await compareRuns(runs, imported, true));
  const folded = JSON.stringify(report["duplicates"]);
  check("what was sent twice folds", folded === '{"folded":80,"conflicts":0}', folded);
  const back = readFileSync(imported, "utf8");
  check(
    "the import reads the runs and none of the values",
    status === 0 && losses === "" && !/evaluation|margin/.test(back),
    losses,
  );
}
