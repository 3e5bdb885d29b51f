import { describe, expect, it } from "vitest";
import { gains, read, spansOf, type SpanFields } from "./spans.test-support.ts";
import { agent, asks, model, says, toolSpan } from "./assembly/agent-spans.test-support.ts";

const thrown = [{ name: "exception", attributes: { "exception.message": "timeout" } }];

function toolStep(fields: Partial<SpanFields> & { gave?: string }) {
  const { trajectories } = read(
    spansOf(
      agent("run"),
      model("a", 10, [says("user", "Where is it?")], asks("c1", "find", "{}")),
      toolSpan("t", 20, "find", { callId: "c1", args: "{}", ...fields }),
    ),
  );
  const [found] = trajectories;
  return [found!.trajectory.steps[1]!.extra!["status"], gains(found!)[1]];
}

describe("a tool that recorded an exception", () => {
  it.each<[string, Parameters<typeof toolStep>[0], string, string]>([
    ["and gave a result has dealt with it", { events: thrown, gave: "there" }, "ok", "evidence find: there"],
    [
      "that its result repeats has failed",
      { events: thrown, gave: "Error: timeout" },
      "error",
      "other find: Error: timeout",
    ],
    ["and gave nothing has failed", { events: thrown }, "error", "other find: timeout"],
    [
      "and says so has failed",
      { events: thrown, gave: "there", error: "gave up" },
      "error",
      "other find: there",
    ],
    ["or none has not failed", { gave: "there" }, "ok", "evidence find: there"],
  ])("%s", (_, fields, status, block) => {
    expect(toolStep(fields)).toEqual([status, [block]]);
  });
});
