import { encodeLiveRecord, type JsonObject } from "../schema/index.ts";
import { liveCloseRecord, liveStepRecord } from "./live-step-record.ts";
import type { Sink } from "./sink.ts";

/** A sink that holds the records, in the form in which they would stand in a file. For tests. */
export interface MemorySink extends Sink {
  readonly records: JsonObject[];
}

/** Keeps every record in memory until it is dropped. */
export function memorySink(): MemorySink {
  const records: JsonObject[] = [];
  return {
    name: "memory",
    keepsStates: true,
    records,
    open({ record, resumed }) {
      if (!resumed) records.push(encodeLiveRecord(record));
      return {
        begin: () => ({
          end(step) {
            const wire = encodeLiveRecord(liveStepRecord(step));
            if (!step.chained && step.before !== undefined)
              wire["state_before"] = JSON.parse(step.before.text);
            if (step.after !== undefined) wire["state_after"] = JSON.parse(step.after.text);
            records.push(wire);
          },
        }),
        close(close) {
          records.push(encodeLiveRecord(liveCloseRecord(close)));
        },
      };
    },
  };
}
