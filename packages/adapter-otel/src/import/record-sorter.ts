import { STATE_EVENT, STATE_LOG, TRAJECTORY } from "../asv-spans/attributes.ts";
import type { Convention } from "../conventions/span-reading.ts";
import type { DecodeSink } from "../decode/decode-sink.ts";
import { asvRole, isOwnScope } from "../spans/asv-role.ts";
import { countAt, digestAt, textAt } from "../spans/attribute-reading.ts";
import type { AttributeValue, OtelLog, OtelSpan } from "../spans/otel-span.ts";
import { packLog, packSpan } from "../spans/packed-span.ts";
import type { OtlpFileReport } from "./import-report.ts";
import type { ReportWriter } from "./report-writer.ts";
import { readState } from "./native/declared-state.ts";
import { plainJson } from "./plain-json.ts";
import { RECORD, type RecordKind, type RecordSpill } from "./record-spill.ts";
import type { StateStore } from "./state-store.ts";
import { wideHash } from "./text-hash.ts";

/** Keys of verdicts and scores: they name the target or are made of it, and are read by nobody here. */
const REFUSED = ["gen_ai.evaluation", "asv.score", "asv.gold"];

/** How many traces are remembered as marked; a mark too many costs a few bytes. */
const REMEMBERED = 1024;

/** Puts every span and log record where it is found again with the others of its run. */
export class RecordSorter implements DecodeSink {
  readonly #spill: RecordSpill;
  readonly #store: StateStore;
  readonly #writer: ReportWriter;
  readonly #conventions: readonly Convention[];
  readonly #marked = new Set<string>();
  /** The source that is being read, and the message in it. */
  file!: OtlpFileReport;
  onInvalid: (what: "span" | "log", reason: string) => void = () => undefined;

  constructor(
    spill: RecordSpill,
    store: StateStore,
    writer: ReportWriter,
    conventions: readonly Convention[],
  ) {
    this.#spill = spill;
    this.#store = store;
    this.#writer = writer;
    this.#conventions = conventions;
  }

  span(span: OtelSpan): void {
    const { spans } = this.#writer.report;
    spans.read++;
    this.file.spans++;
    const role = asvRole(span);
    if (role === "broken") {
      spans.broken++;
      this.#writer.warn("broken_span", "a span of the asv.* set lacks the ids that place it", span.place);
    } else if (role !== undefined) {
      spans.native++;
      const isAsv = (key: string): boolean => key.startsWith("asv.") && !isRefused(key);
      this.#add(RECORD.native, textAt(span.attributes, TRAJECTORY.id)!, span, packSpan(bare(span), isAsv));
      this.#mark(span);
    } else if (this.#conventions.some((convention) => convention.owns(span))) {
      spans.foreign++;
      this.#add(
        RECORD.foreign,
        span.traceId,
        span,
        packSpan(span, (key) => !isRefused(key)),
      );
    } else {
      spans.plumbing++;
      this.#add(
        RECORD.plumbing,
        span.traceId,
        span,
        packSpan(bare(span), () => false),
      );
    }
  }

  log(log: OtelLog): void {
    const { logs } = this.#writer.report;
    logs.read++;
    this.file.logs++;
    const { eventName, traceId, attributes } = log;
    if (eventName === STATE_EVENT || attributes.has(STATE_LOG.sha256)) {
      if (this.#keepState(log)) logs.states++;
      else {
        logs.damagedStates++;
        this.#writer.warn("damaged_state_record", "a state record's body is not what it declares", log.place);
      }
    } else if (eventName !== undefined && isRefused(eventName)) logs.refused++;
    else if (traceId !== undefined && eventName?.startsWith("gen_ai.") === true) {
      logs.messages++;
      const header = { kind: RECORD.log, span: 0, parent: 0, start: Number(log.timeNanos) };
      this.#spill.add(
        traceId,
        header,
        packLog({ ...log, traceId }, (key) => !isRefused(key)),
      );
    } else logs.other++;
  }

  invalid(what: "span" | "log", reason: string): void {
    const { spans, logs } = this.#writer.report;
    if (what === "span") spans.invalid++;
    else logs.invalid++;
    this.onInvalid(what, reason);
  }

  other(): void {
    this.#writer.report.otherSignals++;
  }

  #add(kind: RecordKind, key: string, span: OtelSpan, payload: string): void {
    const parent = span.parentSpanId === undefined ? 0 : wideHash(span.parentSpanId);
    const header = { kind, span: wideHash(span.spanId), parent, start: Number(span.startNanos) };
    this.#spill.add(key, header, payload);
  }

  #mark({ traceId }: OtelSpan): void {
    if (this.#marked.has(traceId)) return;
    if (this.#marked.size >= REMEMBERED) this.#marked.clear();
    this.#marked.add(traceId);
    this.#spill.add(traceId, { kind: RECORD.nativeTrace, span: 0, parent: 0, start: 0 }, traceId);
  }

  /** A body is the canonical JSON as one string, or the state as a structured value. */
  #keepState({ body, attributes, scope }: OtelLog): boolean {
    const text = typeof body === "string" ? body : structured(body);
    if (text === undefined) return false;
    const declared = {
      sha256: digestAt(attributes, STATE_LOG.sha256),
      length: countAt(attributes, STATE_LOG.length),
    };
    const read = readState(text, declared);
    if (typeof read !== "object") return false;
    this.#store.put(read.sha256, { text, origin: "log", own: isOwnScope(scope) });
    return true;
  }
}

function structured(body: AttributeValue | undefined): string | undefined {
  if (body === undefined || body === null || typeof body !== "object") return undefined;
  const json = plainJson(body);
  return json === undefined ? undefined : JSON.stringify(json);
}

/** Without what only the owner of foreign content needs. */
function bare(span: OtelSpan): OtelSpan {
  return { ...span, events: [], links: [], resource: new Map() };
}

function isRefused(key: string): boolean {
  return REFUSED.some((prefix) => key.startsWith(prefix));
}
