import { describe, expect, it, vi } from "vitest";
import { memorySink } from "@agent-step-value/sdk/capture";
import { captured, trajectoriesOf } from "../captured.test-support.ts";
import { asvFlush, withASVCapture } from "../index.ts";
import { majors, type AI } from "../majors.test-support.ts";
import { hostOf, question } from "../scenarios.test-support.ts";

describe.each(majors)("ai $major", (major) => {
  it("what is wrong with capture is told once, or to the host's handler each time", async () => {
    const told: string[] = [];
    const print = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    for (const options of [{}, { onError: (error: Error) => void told.push(error.message) }]) {
      const ai = withASVCapture(major.ai as never, { sinks: [memorySink()], ...options }) as AI;
      const name = major.major === 7 ? "telemetry" : "experimental_telemetry";
      const model = () => hostOf(major, ai).model([{ text: "Green." }]);
      for (const prompt of [question, question]) {
        await ai["generateText"]({ model: model(), prompt, [name]: { isEnabled: false } });
      }
    }
    const printed = print.mock.calls
      .map(([message]) => String(message))
      .filter((text) => text.startsWith("asv"));
    print.mockRestore();
    expect(printed.length).toBe(1);
    expect(told).toEqual([printed[0], printed[0]]);
  });

  it("a flush closes what was silent for too long, and nothing else", async () => {
    const { ai, sink } = captured(major, { maxOpenMs: 60_000 });
    const host = hostOf(major, ai);
    const unread = () => ai["streamText"]({ model: host.model([{ text: "Green." }]), prompt: question });
    unread();
    await asvFlush(ai);
    expect(trajectoriesOf(sink)[0]!.closed).toBeUndefined();
    const late = performance.now() + 61_000;
    const clock = vi.spyOn(performance, "now").mockReturnValue(late);
    await asvFlush(ai);
    clock.mockRestore();
    expect(trajectoriesOf(sink)[0]!.closed).toBe("abandoned");
  });
});
