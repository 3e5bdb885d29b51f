import type { StepResultFacts } from "./step-result.ts";

const MOST = 256;

type Part = Readonly<Record<string, unknown>>;

/** Parts of a kind in the content of a message. */
function partsOf(message: unknown, type: string): Part[] {
  const { content } = Object(message) as { content?: unknown };
  if (!Array.isArray(content)) return [];
  return content.filter((part): part is Part => (Object(part) as Part)["type"] === type);
}

/** True where the last message answers requests to approve a call, so that the SDK runs these calls first. */
export function answersApproval(messages: readonly unknown[]): boolean {
  return partsOf(messages.at(-1), "tool-approval-response").length > 0;
}

/** Which trajectory asked for an approval, so that the one that goes on with it can say so. */
export class ApprovalLinks {
  readonly #asked = new Map<unknown, string>();

  /** Remembers the requests in what a step added. */
  remember({ content, messages }: Pick<StepResultFacts, "content" | "messages">, trajectoryId: string): void {
    const asks = content.some((part) => (Object(part) as Part)["type"] === "tool-approval-request");
    for (const message of asks ? (messages ?? []) : []) {
      for (const part of partsOf(message, "tool-approval-request")) {
        for (const oldest of this.#asked.keys()) {
          if (this.#asked.size < MOST) break;
          this.#asked.delete(oldest);
        }
        this.#asked.set(part["approvalId"], trajectoryId);
      }
    }
  }

  /** The trajectory whose request the last message answers. */
  askedBy(messages: readonly unknown[]): string | undefined {
    for (const part of partsOf(messages.at(-1), "tool-approval-response")) {
      const id = this.#asked.get(part["approvalId"]);
      if (id !== undefined) return id;
    }
    return undefined;
  }
}
