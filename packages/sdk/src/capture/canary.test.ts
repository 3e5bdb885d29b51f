import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createRecorder } from "./recorder.ts";

/** Shaped like a token of a code host; never issued by one. */
const CANARY = "ghp_Zk7Qm2Xv9Rt4Lw8Nc1Yb6Hd3Jf5Ps0Ga2Te";
const base64 = (text: string): string => Buffer.from(text).toString("base64");
/** The ways in which it may come out again. The inner part of its base64 form stands in any alignment. */
const TRACES = [
  CANARY,
  CANARY.slice(4, 30),
  ...[0, 1, 2].map((shift) => base64("x".repeat(shift) + CANARY).slice(4, 44)),
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asv-canary-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A live state with the secret in many places. */
function dirtyState(): Record<string, unknown> {
  return {
    question: "which beetle?",
    messages: [
      { role: "system", content: `You may use ${CANARY} to log in.` },
      { role: "user", content: [{ type: "text", text: `token: ${CANARY}` }] },
    ],
    tool_args: {
      headers: { Authorization: `Bearer ${CANARY}` },
      url: `https://x.test/a?access_token=${CANARY}&q=1`,
    },
    tool_result: JSON.stringify({ body: JSON.stringify({ api_key: CANARY }) }),
    packed: base64(JSON.stringify({ secret: CANARY })),
    [`key ${CANARY}`]: "value",
    map: new Map([["pass", CANARY]]),
    error: new Error(`denied for ${CANARY}`),
    bytes: Buffer.from(CANARY),
    list: [[[`deep ${CANARY}`]]],
    evidence: "The beetle is a stag beetle.",
  };
}

it("a secret in any place reaches no file byte, no span and no console line, and the host keeps it", async () => {
  const file = join(folder, "a.jsonl");
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const printed: unknown[] = [];
  const spies = (["log", "warn", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((...args) => void printed.push(...args)),
  );
  const state = dirtyState();
  const untouched = dirtyState();
  const recorder = createRecorder({
    file,
    tracerProvider: provider,
    metadata: { note: `by ${CANARY}`, api_key: CANARY },
  });
  const run = recorder.trajectory({
    task: {
      id: `task ${CANARY}`,
      question: `What is ${CANARY}?`,
      domain: CANARY,
      candidates: [{ id: `c ${CANARY}`, text: `It is ${CANARY}` }],
    },
    runId: CANARY,
    metadata: { [`k ${CANARY}`]: CANARY },
  });
  const action = { type: `call ${CANARY}`, args: { q: CANARY, password: "x" }, raw: `curl -u me:${CANARY}` };
  run.step({ action, before: state, kind: CANARY }).end({
    after: state,
    action: { result: `got ${CANARY}` },
    observation: [`saw ${CANARY}`],
    error: Object.assign(new Error(`failed with ${CANARY}`), { name: `E ${CANARY}` }),
    cost: { [CANARY]: 1 },
    fidelity: CANARY,
  });
  const failing = createRecorder({
    file: join(folder, "b.jsonl"),
    project: () => {
      throw new Error(CANARY);
    },
    task: () => {
      throw new Error(CANARY);
    },
  });
  failing.trajectory().step({ action, before: state }).end({ after: state });
  run.close({ status: "error" });
  const reports = [await recorder.shutdown(), await failing.shutdown()];
  for (const spy of spies) spy.mockRestore();

  const spans = exporter
    .getFinishedSpans()
    .map(({ name, attributes, events, status, links }) => ({ name, attributes, events, status, links }));
  expect(spans).toHaveLength(2);
  const out: Record<string, string> = {
    file: readFileSync(file, "utf8"),
    "file of the failing recorder": readFileSync(join(folder, "b.jsonl"), "utf8"),
    spans: JSON.stringify(spans),
    console: printed.map(String).join("\n"),
    reports:
      JSON.stringify(reports) +
      reports.flatMap(({ errors }) => errors.map((error) => `${error.stack}`)).join(),
  };
  expect(printed).toHaveLength(2);
  for (const [place, text] of Object.entries(out)) {
    for (const trace of TRACES) expect(text.includes(trace), `${trace.slice(0, 8)}… in ${place}`).toBe(false);
  }
  expect(out["file"]).toContain("stag beetle");
  expect(state).toEqual(untouched);
  expect(action.args.q).toBe(CANARY);
});

it("one secret has one placeholder in all of a trajectory", () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const recorder = createRecorder({ file: false, tracerProvider: provider });
  const run = recorder.trajectory({ task: { question: `use ${CANARY}` } });
  run
    .step({ action: { type: "a" }, before: { n: `also ${CANARY}` } })
    .end({ after: { m: `still ${CANARY}` } });
  run.close();
  const found = JSON.stringify(exporter.getFinishedSpans().map(({ attributes }) => attributes)).match(
    /\[SECRET:[^\]]*\]/g,
  );
  expect(found).toHaveLength(3);
  expect(new Set(found).size).toBe(1);
});
