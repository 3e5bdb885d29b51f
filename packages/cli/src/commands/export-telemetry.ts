import { AsvError } from "@agent-step-value/sdk";
import { EXIT, type Outcome } from "../exit-code.ts";
import { say, warn, type Io } from "../io.ts";
import { createInterrupt } from "../records/interrupt.ts";
import { refuseOverwriting } from "../report/refuse-overwriting.ts";
import { Batches } from "./export-batches.ts";
import { ReadableRecords } from "./export-readable.ts";
import { GaveUp, openEndpoint, type Delivery } from "./export-telemetry-endpoint.ts";
import { openTelemetryFiles, telemetryPaths, type Encoding } from "./export-telemetry-file.ts";

/** Where telemetry goes and how. */
export interface TelemetryOptions {
  out?: string;
  endpoint?: string;
  encoding: Encoding;
  serviceName: string;
  maxRequestBytes: number;
  /** In ms. */
  timeout: number;
}

/** What a producer writes to. */
export interface TelemetrySink {
  readonly batches: Batches;
  readonly records: ReadableRecords;
  /** To be called now and then. @throws {AsvError} `interrupted` after Ctrl-C */
  readonly checkInterrupt: () => void;
}

/**
 * Runs a producer of spans and log records into files or to an endpoint, and says where they went. Files
 * appear whole or not at all; what an endpoint does not take is counted and ends in exit code 4, or 1 where
 * it took nothing.
 *
 * @param setting.only the signal of the whole export, where there is but one
 * @param setting.inputs files that are read, and not to be written over
 */
export async function exportTelemetry(
  options: TelemetryOptions,
  produce: (sink: TelemetrySink) => Promise<void>,
  setting: { io: Io; outcome: Outcome; only?: "logs"; inputs: readonly string[] },
): Promise<void> {
  const { io, outcome, only, inputs } = setting;
  const { out, endpoint, encoding } = options;
  if ((out === undefined) === (endpoint === undefined)) {
    throw new AsvError(
      "invalid_argument",
      "Say where it goes: either --out FILE (- for standard output) or --endpoint URL.",
    );
  }
  const places = out === undefined || out === "-" ? [] : telemetryPaths(out, only);
  await refuseOverwriting(
    places.map((path) => ({ option: "--out", path })),
    inputs,
  );
  const records = new ReadableRecords(options.serviceName);
  const interrupt = createInterrupt();
  const checkInterrupt = (): void => {
    if (!interrupt.signal.aborted) return;
    const again =
      endpoint === undefined ? "nothing was written" : "what arrived already folds when it comes again";
    throw new AsvError("interrupted", `Interrupted; ${again}.`);
  };
  try {
    if (endpoint !== undefined) {
      const target = await openEndpoint({ endpoint, timeoutMillis: options.timeout });
      const batches = new Batches(target, options.maxRequestBytes);
      try {
        await produce({ batches, records, checkInterrupt });
        await batches.flush();
      } catch (error) {
        if (!(error instanceof GaveUp)) throw error;
      } finally {
        tellDelivery(await target.finish(), target.shown, io, outcome);
      }
      return;
    }
    const files = await openTelemetryFiles(out!, encoding, io, only);
    const batches = new Batches(files, options.maxRequestBytes);
    try {
      await produce({ batches, records, checkInterrupt });
      await batches.flush();
      const written = await files.commit();
      const what = countWords(batches.spans, batches.logs);
      if (written.length > 0) say(io, `wrote ${what} to ${written.join(" and ")}`);
    } catch (error) {
      await files.abort();
      throw error;
    }
  } finally {
    interrupt.release();
  }
}

function tellDelivery(delivery: Delivery, where: string, io: Io, outcome: Outcome): void {
  const { delivered, lost, reasons, gaveUp } = delivery;
  say(io, `sent ${countWords(delivered.spans, delivered.logs)} to ${where}`);
  const missing = lost.spans + lost.logs;
  if (missing > 0) {
    const why = [...reasons].map(([reason, count]) => `${reason} (${count})`).join("; ");
    warn(io, `${countWords(lost.spans, lost.logs)} did not arrive: ${why}`);
  }
  if (gaveUp)
    warn(
      io,
      "nothing went through any more, so the rest was not sent; run the command again, what arrived folds",
    );
  if (missing > 0 || gaveUp) {
    outcome.exitCode = delivered.spans + delivered.logs === 0 ? EXIT.usage : EXIT.partial;
  }
}

function countWords(spans: number, logs: number): string {
  const parts = [`${spans} spans`, `${logs} log records`];
  return spans === 0 && logs > 0 ? parts[1]! : logs === 0 ? parts[0]! : parts.join(" and ");
}
