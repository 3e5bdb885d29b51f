import type { OtelLog, OtelSpan } from "../spans/otel-span.ts";
import type { ForeignTraceLog } from "./foreign-trace.ts";

/**
 * Names under which tracers store verdicts, scores and expected answers. Nothing here is ever read: the
 * list serves to say that it was there.
 */
const REFUSED =
  /^(?:gen_ai\.evaluation\.|(?:trace\.|session\.)?(?:evaluations?|annotations?)\.|langfuse\.(?:experiment\.item\.(?:expected_output|metadata)|(?:trace\.|observation\.)?scores?\b)|asv\.score\.|(?:[\w.]+\.)?(?:expected_output|reference_output|reference_answer|ground_truth|gold_answer)$)/;

/** Says which spans and log records carry verdicts or expected answers; `gold_refused`, once a span. */
export function refuseGold(spans: readonly OtelSpan[], logs: readonly OtelLog[], log: ForeignTraceLog): void {
  for (const span of spans) {
    const keys = [...span.attributes.keys()].filter((key) => REFUSED.test(key));
    const events = span.events.filter(({ name }) => REFUSED.test(`${name}.`)).map(({ name }) => name);
    const all = [...new Set([...keys, ...events])];
    if (all.length > 0) log.warn("gold_refused", `not read: ${all.slice(0, 8).join(", ")}`, span);
  }
  const results = logs.filter(({ eventName }) => eventName !== undefined && REFUSED.test(`${eventName}.`));
  if (results.length > 0) {
    log.warn("gold_refused", `not read: ${results.length} log records of ${results[0]!.eventName}`);
  }
}
