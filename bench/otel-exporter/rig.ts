import { createRequire } from "node:module";
import type {
  KitExporter,
  OtelKit,
} from "../../packages/adapter-otel/src/processor/scenarios/otel-kit.test-support.ts";
import type { ProcessedSpan } from "@agent-step-value/adapter-otel";

export type Line = "2" | "3";

interface Serializer {
  serializeRequest(spans: readonly ProcessedSpan[]): Uint8Array | undefined;
}

export interface Rig {
  readonly kit: OtelKit;
  readonly serializers: { readonly json: Serializer; readonly protobuf: Serializer };
}

/** A line of the SDK: the workspace's 2.x, or the 3.x that `npm run test:otel-3` installs. */
export async function loadRig(line: Line): Promise<Rig> {
  const home = line === "2" ? "../../packages/adapter-otel/package.json" : "../../test/otel-3/package.json";
  const module =
    line === "2"
      ? "../../packages/adapter-otel/src/processor/scenarios/otel-kit-2.test-support.ts"
      : "../../test/otel-3/otel-kit-3.ts";
  const load = createRequire(new URL(home, import.meta.url));
  const transformer = load("@opentelemetry/otlp-transformer") as Record<string, Serializer>;
  const { kit } = (await import(new URL(module, import.meta.url).href)) as { kit: OtelKit };
  return {
    kit,
    serializers: {
      json: transformer["JsonTraceSerializer"]!,
      protobuf: transformer["ProtobufTraceSerializer"]!,
    },
  };
}

/** An exporter that does all the work of the official one but to send. */
export function serializing(serializer: Serializer): KitExporter & { steps: number; bytes: number } {
  return {
    steps: 0,
    bytes: 0,
    export(spans, done) {
      this.bytes += serializer.serializeRequest(spans)?.length ?? 0;
      this.steps += spans.filter(({ name }) => name === "asv.step").length;
      done({ code: 0 });
    },
    shutdown: () => Promise.resolve(),
  };
}
