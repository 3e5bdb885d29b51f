import type { BlockKind } from "@agent-step-value/sdk/capture";
import { fileText } from "./file-text.ts";
import type { MediaTexts } from "./media-texts.ts";
import { plainText } from "./plain-text.ts";

type Part = Readonly<Record<string, unknown>>;

function itemText(item: unknown, media: MediaTexts): string | undefined {
  if (typeof item !== "object" || item === null) return plainText(item, media);
  const part = item as Part;
  if (part["type"] === "text") return plainText(part["text"], media);
  // What a provider adds for itself.
  if (part["type"] === "custom") return undefined;
  return fileText(part, media);
}

/** Texts of a result's output, and whether they say something about the question or about a failure. */
function outputTexts(output: unknown, media: MediaTexts): { kind: BlockKind; texts: readonly string[] } {
  const { type, value, reason } = Object(output) as { type?: unknown; value?: unknown; reason?: unknown };
  switch (type) {
    case "text":
    case "json":
      return { kind: "evidence", texts: [plainText(value, media)] };
    case "error-text":
    case "error-json":
      return { kind: "other", texts: [plainText(value, media)] };
    case "execution-denied": {
      const why = typeof reason === "string" && reason !== "" ? `: ${reason}` : "";
      return { kind: "other", texts: [`execution denied${why}`] };
    }
    case "content": {
      const items: readonly unknown[] = Array.isArray(value) ? value : [value];
      const texts = items.map((item) => itemText(item, media)).filter((text) => text !== undefined);
      return { kind: "evidence", texts };
    }
    default:
      return { kind: "evidence", texts: [plainText(output, media)] };
  }
}

/** What a tool's result says, as one or several texts of one kind. */
export interface ToolResultTexts {
  readonly kind: BlockKind;
  /** The tool's. */
  readonly name: string;
  readonly texts: readonly string[];
}

/**
 * The texts of a tool's result: what it found is evidence; what a failing or refused tool says is no
 * evidence about the question.
 */
export function toolResultTexts(part: Part, media: MediaTexts): ToolResultTexts {
  const { toolName } = part as { toolName?: unknown };
  const name = typeof toolName === "string" && toolName !== "" ? toolName : "tool";
  const { kind, texts } = outputTexts(part["output"], media);
  return { kind, name, texts };
}
