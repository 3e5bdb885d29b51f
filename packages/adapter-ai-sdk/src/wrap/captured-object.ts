import { alongside } from "../hooks/alongside.ts";
import { withFields } from "../hooks/with-fields.ts";
import { plainText } from "../projection/plain-text.ts";
import type { AgentRun } from "../runs/agent-run.ts";
import { givenMessages, type CallSettings } from "../runs/call-settings.ts";
import type { CaptureContext } from "../runs/capture-context.ts";
import { attempted, awaited, isSettings, mayCapture, newRun, streamed } from "./captured-call.ts";
import type { AnyFunction } from "./captured-function.ts";
import { objectFacts } from "./object-facts.ts";

/** What `generateObject` returns and `streamObject` tells at its end. */
interface ObjectOutcome {
  readonly object?: unknown;
  readonly error?: unknown;
  readonly finishReason?: unknown;
}

function finish(run: AgentRun, outcome: ObjectOutcome): void {
  const { object, error } = outcome;
  if (error !== undefined) run.noteError(error);
  if (object !== undefined) run.stepEnded(objectFacts(outcome, plainText(object, run.media)), "run-output");
  run.end("complete");
}

function withOnFinish(settings: CallSettings, run: AgentRun): CallSettings {
  // Only AI SDK 7 says here why the model stopped.
  const told = (event: unknown) =>
    finish(run, { ...(Object(event) as ObjectOutcome), finishReason: undefined });
  const onFinish = alongside((event) => run.attempt(() => told(event)), settings["onFinish"]);
  return withFields(settings, { onFinish });
}

/**
 * `generateObject` or `streamObject` with every call captured as a run of one step: the prompt before, the
 * object behind it. They have no hooks in AI SDK 5 and 6 and none that are needed in 7.
 */
export function capturedObject(
  capture: CaptureContext,
  name: string,
  original: AnyFunction,
  streams: boolean,
): AnyFunction {
  return new Proxy(original, {
    apply(target, self, args: unknown[]) {
      const [settings, ...rest] = args;
      const prepared = attempted(capture, () => {
        if (!isSettings(settings) || !mayCapture(capture, settings)) return undefined;
        const run = newRun(capture, name, settings);
        run?.open(settings);
        run?.stepStarted({ number: undefined, messages: givenMessages(settings), system: undefined });
        return run && { run, settings };
      });
      if (prepared === undefined) return Reflect.apply(target, self, args) as unknown;
      const { run } = prepared;
      if (!streams) {
        const call = async () => Reflect.apply(target, self, args) as unknown;
        return awaited(run, call, (value) => {
          run.attempt(() => finish(run, Object(value) as ObjectOutcome));
          return value;
        });
      }
      const watching = withOnFinish(prepared.settings, run);
      return streamed(run, () => Reflect.apply(target, self, [watching, ...rest]));
    },
  });
}
