import { canonicalJson, type JsonValue } from "@agent-step-value/sdk";

/** Arguments and results in one spelling, so that the same value compares equal whoever wrote it. */
export function normalText(text: string | undefined): string {
  const trimmed = (text ?? "").replaceAll("\r\n", "\n").trim();
  if (!/^[[{]/.test(trimmed) || trimmed.length > 1_000_000) return trimmed;
  try {
    return canonicalJson(JSON.parse(trimmed) as JsonValue);
  } catch {
    return trimmed;
  }
}
