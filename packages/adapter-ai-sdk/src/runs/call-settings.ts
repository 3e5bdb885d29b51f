import type { CaptureTask } from "@agent-step-value/sdk/capture";
import { systemText } from "./step-result.ts";

/** The settings of one call, as a host gives them. Nothing of them is recorded but what is read here. */
export type CallSettings = Readonly<Record<string, unknown>>;

/** Telemetry options of a call under either of their names. */
export interface TelemetryOptions {
  readonly isEnabled?: unknown;
  readonly recordInputs?: unknown;
  readonly recordOutputs?: unknown;
  readonly functionId?: unknown;
  readonly integrations?: unknown;
}

/** The telemetry options that hold: AI SDK 7 prefers the new name, 5 and 6 know the old one only. */
export function telemetryOf(settings: CallSettings): TelemetryOptions | undefined {
  const { telemetry, experimental_telemetry } = settings;
  const options = telemetry === undefined ? experimental_telemetry : telemetry;
  return typeof options === "object" && options !== null ? options : undefined;
}

/** True where a call's telemetry options forbid that it is recorded, in part or as a whole. */
export function forbidsRecording(settings: CallSettings): boolean {
  const options = telemetryOf(settings);
  return [options?.isEnabled, options?.recordInputs, options?.recordOutputs].includes(false);
}

/** The conversation that a call begins with; undefined where its settings have none. */
export function givenMessages({ messages, prompt }: CallSettings): readonly unknown[] | undefined {
  if (Array.isArray(messages)) return messages;
  if (Array.isArray(prompt)) return prompt;
  return typeof prompt === "string" ? [{ role: "user", content: prompt }] : undefined;
}

function saidText(content: unknown): string {
  if (typeof content === "string") return content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = parts.map((part) => (Object(part) as { text?: unknown }).text);
  return texts.filter((text) => typeof text === "string").join("\n");
}

/** The task of a call that was wrapped without one: the question is the last thing the user said. */
export function askedTask(input: unknown): CaptureTask {
  const messages = givenMessages(Object(input) as CallSettings) ?? [];
  const asked = messages.findLast((message) => (Object(message) as { role?: unknown }).role === "user");
  return { question: saidText((Object(asked) as { content?: unknown }).content) };
}

function modelName(model: unknown): string | undefined {
  const name = typeof model === "string" ? model : (Object(model) as { modelId?: unknown }).modelId;
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** What is known of the actor before it runs: its model and its system prompt, recorded once a run. */
export function actorOf({ model, instructions, system }: CallSettings): Record<string, string> {
  const name = modelName(model);
  const prompt = systemText(instructions ?? system);
  const actor: Record<string, string> = {};
  if (name !== undefined) actor["model"] = name;
  if (prompt !== undefined) actor["system_prompt"] = prompt;
  return actor;
}
