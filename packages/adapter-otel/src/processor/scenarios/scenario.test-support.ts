import { createRecorder, type Recorder } from "@agent-step-value/sdk/capture";
import { readTrajectories, type ReadWarning, type Trajectory } from "@agent-step-value/sdk";
import { asvSpanProcessor, type AsvSpanProcessor, type SpanProcessorOptions } from "../index.ts";
import type { KitProcessor, KitProvider, KitProviderOptions, OtelKit } from "./otel-kit.test-support.ts";

/** What must hold on every line of the SDK. A scenario throws where it does not. */
export interface Scenario {
  /** The symptom, in words of those who reported it elsewhere. */
  readonly name: string;
  /** @param path a path in an empty folder of the scenario's own */
  run(kit: OtelKit, path: (name: string) => string): Promise<void> | void;
}

/** A provider with our processor in it, and what went wrong. */
export interface Rig {
  readonly processor: AsvSpanProcessor;
  readonly provider: KitProvider;
  readonly file: string;
  readonly problems: string[];
  /** A recorder that writes spans through the provider, and a file where one is named. */
  readonly recorder: (file?: string) => Recorder;
}

export interface RigOptions extends Omit<KitProviderOptions, "processors"> {
  readonly before?: readonly KitProcessor[];
  readonly after?: readonly KitProcessor[];
  readonly processor?: Partial<SpanProcessorOptions>;
}

export function rig(kit: OtelKit, file: string, options: RigOptions = {}): Rig {
  const problems: string[] = [];
  const { before = [], after = [], processor: ours, ...rest } = options;
  const processor = asvSpanProcessor({ file, onError: ({ problem }) => problems.push(problem), ...ours });
  const provider = kit.provider({ processors: [...before, processor, ...after], ...rest });
  return {
    processor,
    provider,
    file,
    problems,
    recorder: (ownFile) =>
      createRecorder({
        file: ownFile ?? false,
        tracerProvider: provider,
        onError: () => undefined,
      }),
  };
}

/** One run of so many steps, whose states count. */
export function runSteps(recorder: Recorder, id: string, steps: number): void {
  const run = recorder.trajectory({ id, task: { question: "which?" } });
  for (let i = 0; i < steps; i++) {
    run.step({ action: { type: `s${i % 3}` }, before: { n: i } }).end({ after: { n: i + 1 } });
  }
  run.close();
}

/** Everything in a file, as its readers see it. */
export async function readBack(...files: string[]): Promise<{ runs: Trajectory[]; warnings: ReadWarning[] }> {
  const runs: Trajectory[] = [];
  const warnings: ReadWarning[] = [];
  for await (const run of readTrajectories(files, { onWarning: (warning) => void warnings.push(warning) })) {
    runs.push(run);
  }
  return { runs, warnings };
}

/** A processor that does nothing but what is given. */
export function neighbour(does: Partial<KitProcessor>): KitProcessor {
  return {
    onStart: () => undefined,
    onEnd: () => undefined,
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
    ...does,
  };
}
