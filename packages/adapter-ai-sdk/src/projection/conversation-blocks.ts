import type { BlockKind } from "@agent-step-value/sdk/capture";
import { fileText } from "./file-text.ts";
import type { MediaTexts } from "./media-texts.ts";
import { plainText } from "./plain-text.ts";
import { toolResultTexts } from "./tool-result-texts.ts";

type Part = Readonly<Record<string, unknown>>;

/** A block with a name. */
export interface TextBlock {
  kind: BlockKind;
  name: string;
  text: string;
}

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null;
}

/** Parts that hold bytes or say where they are. */
const FILES: ReadonlySet<unknown> = new Set(["image", "file", "reasoning-file", "media"]);

function partsOf(content: unknown): readonly unknown[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

function nameOf(value: unknown, otherwise: string): string {
  return typeof value === "string" && value !== "" ? value : otherwise;
}

/**
 * The blocks of a conversation of the AI SDK, in its order, by allow-list: who said it, text, reasoning,
 * tool calls with their input, tool results, requests to approve a call and the answers to them, files by
 * digest. The first thing the user says is the task. Ids, `providerOptions` and parts of a provider's own
 * never become part of a state.
 *
 * Results of calls that ran in parallel stand in the order of the calls: `streamText` lists them in the
 * order in which they came in, which says nothing about the state.
 */
export class Conversation {
  readonly #media: MediaTexts;
  /** Blocks of the message that is being read. */
  #blocks: TextBlock[] = [];
  /** Place of every tool call among all of them; of calls with one id, that of the newest. */
  readonly #calls = new Map<unknown, number>();
  #called = 0;
  /** Tools by the id of the request to approve their call. */
  #approvals: Map<unknown, string> | undefined;
  #asked = false;

  constructor(media: MediaTexts) {
    this.#media = media;
  }

  /** The blocks of the next message. One that cannot be read leaves a mark. Never throws. */
  next(message: unknown): readonly TextBlock[] {
    this.#blocks = [];
    try {
      if (isPart(message)) this.#add(message);
    } catch {
      this.#blocks = [{ kind: "other", name: "message", text: "[unreadable]" }];
    }
    return this.#blocks;
  }

  #add({ role, content }: Part): void {
    switch (role) {
      case "user":
        this.#addSaid(content, this.#asked ? "message" : "task", "user");
        this.#asked = true;
        break;
      case "assistant":
        this.#addAssistant(partsOf(content));
        break;
      case "tool":
        this.#addTool(partsOf(content));
        break;
      default:
        this.#addSaid(content, "message", nameOf(role, "unknown"));
    }
  }

  #push(kind: BlockKind, name: string, text: string): void {
    this.#blocks.push({ kind, name, text });
  }

  #addSaid(content: unknown, kind: BlockKind, name: string): void {
    for (const part of partsOf(content)) {
      if (!isPart(part)) continue;
      const { type, text } = part;
      if (type === "text" && typeof text === "string" && text !== "") this.#push(kind, name, text);
      else if (FILES.has(type)) this.#push(kind, name, fileText(part, this.#media));
    }
  }

  #addAssistant(parts: readonly unknown[]): void {
    const acts = parts.some((part) => isPart(part) && part["type"] === "tool-call");
    const names = new Map<unknown, string>();
    for (const part of parts) {
      if (isPart(part)) this.#addAssistantPart(part, acts ? "reasoning" : "answer", names);
    }
  }

  #addAssistantPart(part: Part, kind: BlockKind, names: Map<unknown, string>): void {
    const { type, text, toolCallId } = part;
    if (type === "text" || type === "reasoning") {
      const said = type === "text" ? kind : "reasoning";
      if (typeof text === "string" && text !== "") this.#push(said, "assistant", text);
    } else if (type === "tool-call") {
      const tool = nameOf(part["toolName"], "unknown");
      names.set(toolCallId, tool);
      this.#calls.set(toolCallId, this.#called++);
      this.#push("tool_call", tool, plainText(part["input"] ?? {}, this.#media));
    } else if (type === "tool-result") {
      this.#addResult(part);
    } else if (type === "tool-approval-request") {
      const tool = names.get(toolCallId) ?? "unknown";
      (this.#approvals ??= new Map()).set(part["approvalId"], tool);
      this.#push("message", "approval-request", tool);
    } else if (FILES.has(type)) {
      this.#push(type === "reasoning-file" ? "reasoning" : kind, "assistant", fileText(part, this.#media));
    }
  }

  /** Answers to requests first, then results in the order of their calls, however they came in. */
  #addTool(parts: readonly unknown[]): void {
    const results: Part[] = [];
    for (const part of parts) {
      if (!isPart(part)) continue;
      if (part["type"] === "tool-result") results.push(part);
      else if (part["type"] === "tool-approval-response") this.#addApproval(part);
    }
    const place = (part: Part) => this.#calls.get(part["toolCallId"]) ?? Infinity;
    if (results.length > 1) results.sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
    for (const result of results) this.#addResult(result);
  }

  #addResult(part: Part): void {
    const { kind, name, texts } = toolResultTexts(part, this.#media);
    for (const text of texts) this.#push(kind, name, text);
  }

  #addApproval(part: Part): void {
    const tool = this.#approvals?.get(part["approvalId"]) ?? "unknown";
    const { reason } = part;
    const why = typeof reason === "string" && reason !== "" ? `: ${reason}` : "";
    this.#push(
      "message",
      "approval-response",
      `${tool} ${part["approved"] === true ? "approved" : "denied"}${why}`,
    );
  }
}

/** The blocks of a whole conversation at once. */
export function conversationBlocks(messages: readonly unknown[], media: MediaTexts): TextBlock[] {
  const conversation = new Conversation(media);
  return messages.flatMap((message) => conversation.next(message));
}
