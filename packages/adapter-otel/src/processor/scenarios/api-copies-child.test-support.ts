// A process of its own, run by api-copies.test-support.ts: <url of the kit> <processor's file> <recorder's file>
import { createRecorder } from "@agent-step-value/sdk/capture";
import { asvSpanProcessor } from "../index.ts";
import type { OtelKit } from "./otel-kit.test-support.ts";
import { runSteps } from "./scenario.test-support.ts";

const [kitUrl = "", file = "", ownFile = ""] = process.argv.slice(2);
const { kit } = (await import(kitUrl)) as { kit: OtelKit };

const processor = asvSpanProcessor({ file });
const provider = kit.provider({ processors: [processor] });
const registered = kit.registerGlobally(provider);
const problems: string[] = [];
const onError = (error: Error): void =>
  void problems.push((error as { problem?: string }).problem ?? error.name);

const global = createRecorder({ file: ownFile, onError });
runSteps(global, "a", 3);
runSteps(global, "b", 3);
const byGlobal = processor.report().written;
const given = createRecorder({ file: false, tracerProvider: provider, onError });
runSteps(given, "c", 3);
const { otel } = await global.shutdown();
await given.shutdown();
const { written } = await processor.shutdown();
console.log(JSON.stringify({ registered, otel, problems, byGlobal, byGiven: written - byGlobal }));
