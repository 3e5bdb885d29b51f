import { asvSpanProcessor } from "@agent-step-value/adapter-otel";
import { createRecorder, type Snapshot } from "@agent-step-value/sdk/capture";
import type { KitProcessor } from "../../packages/adapter-otel/src/processor/scenarios/otel-kit.test-support.ts";
import { serializing, type Rig } from "./rig.ts";
import { benchStates, spansOfRun, STEPS_A_RUN, type Chain } from "./workload.ts";

/** One way to bring steps somewhere. */
export interface Variant {
  /** One run of ten steps. */
  run(number: number): void;
  /** Waits for what is under way. */
  settle(): Promise<void>;
  /** Steps that arrived so far. */
  arrived(): number;
}

type Make = (rig: Rig, file: string) => Variant;

const NOTHING: KitProcessor = {
  onStart: () => undefined,
  onEnd: () => undefined,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};

/** Spans through one processor. */
function spans(
  rig: Rig,
  processor: KitProcessor,
  arrived: () => number,
  chain: Chain,
  scope?: string,
): Variant {
  const provider = rig.kit.provider({ processors: [processor] });
  const tracer = provider.getTracer(scope ?? "@agent-step-value/sdk");
  return { run: (number) => spansOfRun(tracer, number, chain), settle: () => provider.forceFlush(), arrived };
}

function batch(format: "json" | "protobuf", options: Record<string, number>): Make {
  return (rig) => {
    const exporter = serializing(rig.serializers[format]);
    return spans(rig, rig.kit.batch(exporter, options), () => exporter.steps, "chained");
  };
}

function processor(chain: Chain, scope?: string): Make {
  return (rig, file) => {
    const ours = asvSpanProcessor({ file });
    return spans(rig, ours, () => ours.report().written, chain, scope);
  };
}

/** The recorder's own file, without spans. `projected`: live states instead of snapshots taken before. */
function recorderFile(projected: boolean): Make {
  return (_, file) => {
    const recorder = createRecorder({ file, sinks: [] });
    const snapshots = new Map<object, Snapshot>();
    const taker = createRecorder({ file: `${file}.warm`, sinks: [] }).trajectory();
    for (const { live } of benchStates.flat()) snapshots.set(live, taker.snapshot(live));
    let arrived = 0;
    return {
      run(number) {
        const run = recorder.trajectory({ task: { id: "q", question: "Does the drug lower the risk?" } });
        const states = benchStates[number % benchStates.length]!;
        for (let i = 0; i < STEPS_A_RUN; i++) {
          const [before, after] = [states[i]!.live, states[i + 1]!.live];
          run
            .step({
              action: { type: "retrieve" },
              kind: "tool",
              before: projected ? before : snapshots.get(before),
            })
            .end({ after: projected ? after : snapshots.get(after), fidelity: "next-input" });
        }
        run.close();
      },
      async settle() {
        arrived = (await recorder.flush()).written;
      },
      arrived: () => arrived,
    };
  };
}

/** The row that the others are measured against. */
export const BASELINE = "batch + OTLP JSON";

export const variants: Readonly<Record<string, Make>> = {
  "spans alone": (rig) => spans(rig, NOTHING, () => 0, "chained"),
  [BASELINE]: batch("json", { maxQueueSize: 1e6 }),
  "batch + OTLP protobuf": batch("protobuf", { maxQueueSize: 1e6 }),
  asvSpanProcessor: processor("chained"),
  "asvSpanProcessor, both states written": processor("unchained"),
  "asvSpanProcessor, another writer's": processor("chained", "another"),
  "recorder's file, states as snapshots": recorderFile(false),
  "recorder's file, live states": recorderFile(true),
};

/** With its default queue, for the count of what is lost. */
export const defaultBatch: Make = batch("json", {});
