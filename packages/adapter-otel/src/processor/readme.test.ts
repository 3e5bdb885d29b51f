import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as api from "@opentelemetry/api";
import * as sdkTraceBase from "@opentelemetry/sdk-trace-base";
import { createRecorder } from "@agent-step-value/sdk/capture";
import { afterEach, beforeEach, expect, it } from "vitest";
import * as adapter from "./index.ts";
import { readBack, runSteps } from "./scenarios/scenario.test-support.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asv-readme-"));
});
afterEach(() => {
  api.trace.disable();
  rmSync(folder, { recursive: true, force: true });
});

it("the code that the README opens with records what a recorder without options does", async () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const code = /^```ts\n([\s\S]+?)^```$/m.exec(readme)![1]!;
  const modules: Record<string, unknown> = {
    "@opentelemetry/api": api,
    "@opentelemetry/sdk-trace-base": sdkTraceBase,
    "@agent-step-value/adapter-otel": adapter,
  };
  const body = code
    .replace(/^import (\{[^}]+\}) from ("[^"]+");$/gm, "const $1 = modules[$2];")
    .replace('"runs.', `"${folder}/runs.`);
  expect(body).not.toContain("import");
  const exporter = new sdkTraceBase.InMemorySpanExporter();
  // oxlint-disable-next-line typescript/no-implied-eval -- the code of our own README
  const run = new Function("modules", "exporter", `${body}\nreturn asv;`) as (
    ...given: unknown[]
  ) => adapter.AsvSpanProcessor;
  const processor = run(modules, exporter);

  const recorder = createRecorder({ file: false });
  runSteps(recorder, "t", 3);
  await recorder.shutdown();
  expect(await processor.shutdown()).toMatchObject({ written: 3, errors: [] });
  const [file, ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  expect(file).toMatch(new RegExp(`^runs\\.${process.pid}-[0-9a-f]{4}\\.jsonl$`));
  const { runs } = await readBack(join(folder, file!));
  expect(runs).toMatchObject([{ trajectoryId: "t", status: "complete" }]);
});
