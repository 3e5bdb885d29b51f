import { z } from "zod";
import { InvalidArgumentError } from "../errors/index.ts";
import { digestOf, type ProtocolRecord } from "../schema/index.ts";
import type { Protocol, ProtocolSettings } from "./protocol.ts";
import { settingsFromWire, settingsToWire } from "./wire-settings.ts";

const tokens = z.int().min(1).max(100_000);
const word = z.string().min(1).max(200);

const settingsSchema = z
  .strictObject({
    projection: z.strictObject({
      slice: z.enum(["full", "evidence", "agent-output", "none"]),
      maxChars: z.int().min(200).max(10_000_000),
    }),
    evaluator: z.strictObject({
      kind: word,
      model: word,
      temperature: z.number().min(0).max(10),
      thinking: z.boolean(),
      topLogprobs: z.int().min(0).max(1_000_000),
      endpoint: word.optional(),
      parameters: z.record(word, z.union([z.string(), z.number(), z.boolean()])).optional(),
    }),
    buffer: z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("none") }),
      z.strictObject({ kind: z.literal("generated"), maxTokens: tokens }),
      z.strictObject({ kind: z.literal("extractive"), maxTokens: tokens }),
      z.strictObject({ kind: z.literal("swapped"), maxTokens: tokens }),
    ]),
    mappings: z.strictObject({
      design: z.enum(["fixed", "balanced"]),
      count: z.int().min(1).max(999),
      seed: z.int().min(-2147483648).max(2147483647),
    }),
    template: z.literal("asv-skeleton-1"),
    normalisation: z.strictObject({
      floor: z.strictObject({ rule: z.enum(["bounded", "constant"]), score: z.number().min(-8999).max(0) }),
      variants: z.literal("label-variants-1"),
    }),
  })
  .refine(({ mappings }) => mappings.design === "balanced" || mappings.count === 1, {
    path: ["mappings", "count"],
    message: "1 for the fixed design",
  });

/** The six parts of ρ, and a name for people that is no part of its identity. */
export interface ProtocolDefinition extends ProtocolSettings {
  /** Default: the id. */
  name?: string;
}

/**
 * A measuring set-up, checked, frozen to its leaves, and named by its content: `rho-` and the first
 * 16 hex digits of the SHA-256 of the settings' RFC 8785 JSON, in the form a score file holds (paper
 * section 3.1).
 *
 * @throws InvalidArgumentError with the path of a setting that is missing, unknown or out of range
 */
export function defineProtocol(definition: ProtocolDefinition): Protocol {
  const { name, ...given } = definition;
  const settings = parseSettings(given);
  const id = `rho-${digestOf(settingsToWire(settings)).slice(0, 16)}`;
  return freezeDeep({ ...settings, id, name: name ?? id });
}

/** The settings of a protocol: everything but id and name. */
export function protocolSettings(protocol: Protocol): ProtocolSettings {
  const { id: _id, name: _name, ...settings } = protocol;
  return settings;
}

/** The line a score file opens with. */
export function protocolRecord(protocol: Protocol): ProtocolRecord {
  return {
    record: "protocol",
    protocolId: protocol.id,
    name: protocol.name,
    protocol: settingsToWire(protocolSettings(protocol)),
  };
}

/**
 * The protocol of a score file, from its opening line.
 *
 * @throws InvalidArgumentError when the settings are not those the id was made of
 */
export function protocolFromRecord(record: ProtocolRecord): Protocol {
  const settings = parseSettings(settingsFromWire(record.protocol));
  const protocol = defineProtocol({ ...settings, name: record.name });
  if (protocol.id !== record.protocolId) {
    throw new InvalidArgumentError(
      "protocolId",
      `${protocol.id}, the digest of its settings`,
      record.protocolId,
    );
  }
  return protocol;
}

function parseSettings(value: unknown): ProtocolSettings {
  const result = settingsSchema.safeParse(value);
  // Zod types optional fields as possibly undefined; a key set to undefined is dropped here, so that
  // it cannot reach the digest.
  if (result.success) return structuredClone(dropUndefined(result.data)) as ProtocolSettings;
  const issue = result.error.issues[0]!;
  const bad = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
  throw new InvalidArgumentError(["protocol", ...issue.path].join("."), `valid (${issue.message})`, bad);
}

function dropUndefined(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, dropUndefined(item)]])),
  );
}

function freezeDeep<T extends object>(value: T): T {
  for (const item of Object.values(value)) if (typeof item === "object" && item !== null) freezeDeep(item);
  return Object.freeze(value);
}
