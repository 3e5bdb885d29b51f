import {
  context as contextApi,
  isSpanContextValid,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type SpanOptions,
  type Tracer,
  type TracerProvider,
} from "@opentelemetry/api";
import { InvalidArgumentError } from "../errors/index.ts";
import {
  isInline,
  stepEndAttributes,
  stepStartAttributes,
  trajectoryAttributes,
  type Carrier,
} from "./span-attributes.ts";
import type {
  CloseEvent,
  OpenEvent,
  ReportProblem,
  Sink,
  StepEnd,
  StepSink,
  StepStart,
  TrajectorySink,
} from "./sink.ts";
import { SDK_VERSION } from "./sdk-version.ts";

export interface SpanSinkOptions {
  /** Default: the globally registered provider, asked for at each trajectory. */
  tracerProvider?: TracerProvider;
  /**
   * `inline` (default): state texts up to 16,384 UTF-16 units ride on the spans. `digest`: only their
   * SHA-256 and length do, and no question.
   */
  states?: "inline" | "digest";
  /** Say nothing where no provider is there. Default false. */
  quiet?: boolean;
}

const SCOPE = "@agent-step-value/sdk";

/**
 * Writes spans `asv.trajectory` and `asv.step` with `asv.*` attributes through the host's tracer
 * provider. Parents are given explicitly; no span is ever made active. Processing and export are
 * the provider's: what it samples out, drops or fails to send is missing there and nowhere else.
 *
 * @throws {InvalidArgumentError} for an unknown option value
 */
export function spanSink(options: SpanSinkOptions = {}): Sink {
  const states = options.states ?? "inline";
  if (states !== "inline" && states !== "digest") {
    throw new InvalidArgumentError("states", '"inline" or "digest"', states);
  }
  return new SpanSink(options.tracerProvider, states === "inline", options.quiet ?? false);
}

class SpanSink implements Sink {
  readonly name = "otel";
  state: "active" | "inactive" | "unsampled" = "inactive";
  readonly #provider: TracerProvider | undefined;
  readonly #inline: boolean;
  readonly #quiet: boolean;
  #told = false;

  constructor(provider: TracerProvider | undefined, inline: boolean, quiet: boolean) {
    this.#provider = provider;
    this.#inline = inline;
    this.#quiet = quiet;
  }

  open(event: OpenEvent, report: ReportProblem): TrajectorySink | "skipped" {
    const tracer = (this.#provider ?? trace).getTracer(SCOPE, SDK_VERSION);
    const { parentContext, parentTrajectoryContext } = event;
    const linked = parentTrajectoryContext && trace.getSpanContext(parentTrajectoryContext);
    const options: SpanOptions = {
      startTime: hrTime(event.startTime),
      attributes: trajectoryAttributes(event, this.#inline),
    };
    if (linked !== undefined) options.links = [{ context: linked }];
    const span = tracer.startSpan("asv.trajectory", options, parentContext);
    if (!span.isRecording()) {
      const isOurs = isOwn(span, parentContext);
      this.state = isOurs ? "unsampled" : "inactive";
      if (!isOurs) this.#tellInactive(report);
      return "skipped";
    }
    this.state = "active";
    const carrier = event.statesKept ? "local" : "none";
    return new SpanTrajectory(tracer, span, parentContext, this.#inline, carrier);
  }

  #tellInactive(report: ReportProblem): void {
    const reachable = this.#provider !== undefined || !isForeignGlobal();
    if (this.#told || (this.#quiet && reachable)) return;
    this.#told = true;
    const why = reachable
      ? "no tracer provider that records is registered"
      : "a provider is registered through another copy of @opentelemetry/api; install one copy, of the host's version";
    report("otel_inactive", `spans go nowhere: ${why}.`);
  }
}

/** A tracer without provider hands back its parent's span context, or an invalid one. */
function isOwn(span: Span, parent: Context): boolean {
  const own = span.spanContext();
  return isSpanContextValid(own) && own.spanId !== trace.getSpanContext(parent)?.spanId;
}

/** True where some copy of the API registered a provider that this copy does not see. */
function isForeignGlobal(): boolean {
  const registry: unknown = Reflect.get(globalThis, Symbol.for("opentelemetry.js.api.1"));
  return typeof registry === "object" && registry !== null && "trace" in registry;
}

class SpanTrajectory implements TrajectorySink {
  readonly context: Context;
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #inline: boolean;
  readonly #elsewhere: Carrier;

  constructor(tracer: Tracer, span: Span, parent: Context, inline: boolean, elsewhere: Carrier) {
    this.#tracer = tracer;
    this.#span = span;
    this.#inline = inline;
    this.#elsewhere = elsewhere;
    this.context = trace.setSpan(parent, span);
  }

  begin(step: StepStart): StepSink {
    const parent = step.parentContext ?? this.context;
    const attributes = stepStartAttributes(step, this.#inline);
    const options = { startTime: hrTime(step.startTime), attributes };
    const span = this.#tracer.startSpan("asv.step", options, parent);
    return new SpanStep(span, parent, this.#inline, this.#elsewhere);
  }

  /** A span cannot wait for a run to go on. */
  suspend(event: CloseEvent): void {
    this.close(event);
  }

  close(event: CloseEvent): void {
    const { status } = event;
    this.#span.setAttributes({
      "asv.trajectory.status": status,
      "asv.trajectory.step_count": event.stepCount,
      "asv.redaction.count": event.redactions,
    });
    if (status === "error") this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end(hrTime(event.endTime));
  }
}

class SpanStep implements StepSink {
  readonly #span: Span;
  readonly #parent: Context;
  readonly #inline: boolean;
  readonly #elsewhere: Carrier;

  constructor(span: Span, parent: Context, inline: boolean, elsewhere: Carrier) {
    this.#span = span;
    this.#parent = parent;
    this.#inline = inline;
    this.#elsewhere = elsewhere;
  }

  get context(): Context {
    return trace.setSpan(this.#parent, this.#span);
  }

  end(step: StepEnd): void {
    const span = this.#span;
    span.setAttributes(stepEndAttributes(step, this.#inline));
    span.setAttribute("asv.state.carrier", this.#carrier(step));
    if (step.status === "error") {
      const { error } = step;
      const message = error === undefined ? undefined : `${error.name}: ${error.message}`;
      span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
    }
    span.end(hrTime(step.endTime));
  }

  /** Inline only where every state is whole on the span: a provider may cut long attribute values. */
  #carrier({ before, after }: StepEnd): Carrier {
    if (!this.#inline || !isInline(before) || !isInline(after)) return this.#elsewhere;
    const held = (this.#span as { attributes?: Record<string, unknown> }).attributes;
    if (held === undefined) return "inline";
    const whole =
      (before === undefined || held["asv.state.before"] === before.text) &&
      (after === undefined || held["asv.state.after"] === after.text);
    return whole ? "inline" : this.#elsewhere;
  }
}

/** The active context, or the root one where the host has no context manager. */
export function activeContext(): Context {
  return contextApi.active();
}

/**
 * As seconds and nanoseconds: a plain number is taken by the SDK for an offset from the process start
 * when it is small, which a wall clock that was set back can make it.
 */
function hrTime(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.min(999_999_999, Math.round((ms - seconds * 1000) * 1e6))];
}
