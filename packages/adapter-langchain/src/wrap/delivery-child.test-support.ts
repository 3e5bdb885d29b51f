// Run as a process of its own by delivery.test.ts: `node delivery-child.test-support.ts <mode> <file>`.
import { writeSync } from "node:fs";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  SimpleSpanProcessor,
  type SpanExporter,
} from "@opentelemetry/sdk-trace-base";
import { withASVCapture } from "../index.ts";
import { asked, searchingAgent } from "../scripted.test-support.ts";

const [mode = "", file = ""] = process.argv.slice(2);

function exporterThat(does: string): SpanExporter {
  const act = (): Promise<void> => {
    if (does === "throws") throw new Error("exporter");
    return does === "hangs" ? new Promise(() => undefined) : Promise.reject(new Error("exporter"));
  };
  return {
    export(_, done) {
      if (does === "rejects") done({ code: 1, error: new Error("500") });
      else void act();
    },
    forceFlush: act,
    shutdown: act,
  };
}

async function invoked(options: Parameters<typeof withASVCapture>[1]): Promise<void> {
  const result = await withASVCapture(searchingAgent(), { file, ...options }).invoke(asked);
  writeSync(1, `${result.messages.length}\n`);
}

switch (mode) {
  case "hangs":
  case "throws":
  case "rejects": {
    const exporter = exporterThat(mode);
    const spanProcessors = [
      new SimpleSpanProcessor(exporter),
      new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1 }),
    ];
    await invoked({ tracerProvider: new BasicTracerProvider({ spanProcessors }) });
    await new Promise((resolve) => setTimeout(resolve, 30));
    // The provider's own export timeout would hold the process for half a minute.
    process.exit(0);
    break;
  }
  case "exit":
    await invoked({});
    process.exit(0);
    break;
  case "throw":
    await invoked({});
    throw new Error("the host's own");
  case "killed": {
    // Killed inside the second model call: two steps have ended.
    const { model, tools } = (await import("../scripted.test-support.ts")).killedInSecondModelCall();
    const { createAgent } = await import("langchain");
    await withASVCapture(createAgent({ model, tools }), { file }).invoke(asked);
    break;
  }
  default:
    await invoked({});
}
