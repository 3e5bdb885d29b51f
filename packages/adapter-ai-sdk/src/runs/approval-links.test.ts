import { describe, expect, it } from "vitest";
import { ApprovalLinks } from "./approval-links.ts";

const asking = (approvalId: string) => {
  const content = [{ type: "tool-approval-request", approvalId }];
  return { content, messages: [{ role: "assistant", content }] };
};
const answering = (...ids: string[]) => [
  { role: "tool", content: ids.map((approvalId) => ({ type: "tool-approval-response", approvalId })) },
];

describe("ApprovalLinks", () => {
  it("knows the newest 256 requests", () => {
    const links = new ApprovalLinks();
    for (let i = 0; i < 300; i += 1) links.remember(asking(`a${i}`), `t${i}`);
    expect(links.askedBy(answering("a43"))).toBeUndefined();
    expect(links.askedBy(answering("a44"))).toBe("t44");
    expect(links.askedBy(answering("a299"))).toBe("t299");
  });

  it("any of several answers tells, and only answers in the last message", () => {
    const links = new ApprovalLinks();
    links.remember(asking("a"), "t");
    expect(links.askedBy(answering("unknown", "a"))).toBe("t");
    expect(links.askedBy([...answering("a"), { role: "user", content: "Go on." }])).toBeUndefined();
    expect(links.askedBy([])).toBeUndefined();
  });
});
