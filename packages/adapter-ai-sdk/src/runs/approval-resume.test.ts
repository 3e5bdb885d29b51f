import { describe, expect, it } from "vitest";
import { MediaTexts } from "../projection/media-texts.ts";
import { writeApprovalResume } from "./approval-resume.ts";
import { askedTask } from "./call-settings.ts";
import type { RunStates } from "./run-states.ts";

const call = (toolCallId: string, input: unknown) => ({
  role: "assistant",
  content: [
    { type: "tool-call", toolCallId, toolName: "put", input },
    { type: "tool-approval-request", approvalId: `a-${toolCallId}`, toolCallId },
  ],
});
const answer = {
  role: "tool",
  content: [{ type: "tool-approval-response", approvalId: "a-1", approved: true }],
};
const result = (type: string) => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: "1", toolName: "put", output: { type, value: "v" } }],
});

/** What is written of a conversation that was given and the one of the first step. */
function written(given: readonly unknown[], messages: readonly unknown[]): any[] {
  const steps: unknown[] = [];
  const trajectory = { step: (begin: object) => ({ end: (end: object) => steps.push({ ...begin, end }) }) };
  const states = { trajectory, reach: (state: unknown) => state, media: new MediaTexts() };
  writeApprovalResume(states as unknown as RunStates, given, messages, 0);
  return steps;
}

describe("writeApprovalResume", () => {
  it("of calls with one id the newest was approved", () => {
    const given = [call("1", { n: "old" }), call("1", { n: "new" }), answer];
    const [step] = written(given, [...given, result("text")]);
    expect(step.action.calls).toEqual([{ tool: "put", args: { n: "new" }, approved: true }]);
    expect(step.end).toEqual({
      fidelity: "next-input",
      after: [...given, result("text")],
      cost: { tool_calls: 1 },
    });
  });

  it("an approved call that fails was made, and failed", () => {
    const given = [call("1", {}), answer];
    const [step] = written(given, [...given, result("error-text")]);
    expect(step.end).toMatchObject({ observation: { failed_tools: ["put"] }, cost: { tool_calls: 1 } });
  });

  it("nothing where nothing was answered, or the first step has other messages", () => {
    const given = [call("1", {}), answer];
    expect(written(given, given)).toEqual([]);
    expect(written(given, [...given, result("text"), result("text")])).toEqual([]);
    expect(written(given, [...given, { role: "user", content: "Go on." }])).toEqual([]);
    expect(written([call("1", {})], [call("1", {}), result("text")])).toEqual([]);
  });
});

describe("askedTask", () => {
  it("is the last thing the user said", () => {
    const messages = ["First?", "Last?"].map((content) => ({ role: "user", content }));
    const said = [
      {
        role: "user",
        content: [
          { type: "text", text: "Which" },
          { type: "text", text: "lamp?" },
        ],
      },
    ];
    expect(askedTask({ messages: [...messages, { role: "assistant", content: "Yes." }] }).question).toBe(
      "Last?",
    );
    expect(askedTask({ prompt: said }).question).toBe("Which\nlamp?");
    expect(askedTask({ prompt: "Why?" }).question).toBe("Why?");
    expect(askedTask(undefined).question).toBe("");
  });
});
