import { z } from "zod";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/**
 * One kind of value as it stands in a file and as it stands in memory: the zod schema of the wire
 * form, and the two directions where they differ. Without `decode` and `encode` both forms are the
 * same value, which is then passed on as it is and never copied: states are large.
 */
export interface WireType<T> {
  readonly schema: z.ZodType;
  readonly decode?: (wire: never) => T;
  readonly encode?: (value: T) => JsonValue;
}

/** How a field may be missing. `null` counts as absent everywhere. */
export interface Field<T, Presence extends "required" | "optional"> {
  readonly wire: string;
  readonly type: WireType<T>;
  /** What the type system is told: is the field always there in memory? */
  readonly presence: Presence;
  /** Makes the value of a field that the file leaves out. */
  readonly fallback?: () => T;
}

/** A field the file must have. */
export function required<T>(wire: string, type: WireType<T>): Field<T, "required"> {
  return { wire, type, presence: "required" };
}

/** A field that is absent in memory where the file leaves it out. */
export function optional<T>(wire: string, type: WireType<T>): Field<T, "optional"> {
  return { wire, type, presence: "optional" };
}

/** A field that the file may leave out and memory always has. */
export function defaulted<T>(wire: string, type: WireType<T>, fallback: () => T): Field<T, "required"> {
  return { wire, type, presence: "required", fallback };
}

type IsOptional<T, K extends keyof T> = object extends Pick<T, K> ? true : false;

/** One field for every property of a record but `extra`, which holds what no field names. */
export type Fields<T> = {
  readonly [K in Exclude<keyof T, "extra">]-?: Field<
    Exclude<T[K], undefined>,
    IsOptional<T, K> extends true ? "optional" : "required"
  >;
};

/** A record type: an object with named fields whose unknown keys survive in `extra`. */
export interface RecordType<T> {
  readonly schema: z.ZodType;
  /** The same schema made fast for whole lines: compiled on first use where the runtime allows. */
  readonly check: (json: unknown) => z.ZodSafeParseResult<unknown>;
  /** Expects JSON that passed `schema`. */
  readonly decode: (wire: JsonObject) => T;
  readonly encode: (value: T) => JsonObject;
}

interface Plan {
  name: string;
  wire: string;
  decode: ((wire: never) => unknown) | undefined;
  encode: ((value: never) => JsonValue) | undefined;
  fallback: (() => unknown) | undefined;
}

/**
 * Builds a record type from its table of fields: the only place where memory names and wire names meet.
 *
 * @param fields one entry a property, in the order in which they are written
 * @param envelope constant wire keys that memory does not carry, written first
 */
export function record<T extends { extra?: JsonObject }>(
  fields: Fields<T>,
  envelope: Readonly<Record<string, string>> = {},
): RecordType<T> {
  const table = Object.entries(fields) as [string, Field<unknown, "required" | "optional">][];
  const shape: Record<string, z.ZodType> = {};
  for (const [wire, value] of Object.entries(envelope)) {
    shape[wire] = z.literal(value, `must be ${JSON.stringify(value)}`).nullish();
  }
  for (const [, { wire, type, presence, fallback }] of table) {
    shape[wire] = presence === "required" && fallback === undefined ? type.schema : type.schema.nullish();
  }
  const plans: Plan[] = table.map(([name, { wire, type, fallback }]) => ({
    name,
    wire,
    decode: type.decode,
    encode: type.encode as Plan["encode"],
    fallback,
  }));
  const byWire = new Map(plans.map((plan) => [plan.wire, plan]));
  const known = (key: string): boolean => byWire.has(key) || Object.hasOwn(envelope, key);

  const schema = z.custom(isJsonObject, "must be an object").pipe(z.object(shape));
  let compiled: z.ZodType | undefined;

  return {
    schema,
    check: (json) => (compiled ??= z.compile(schema)).safeParse(json),
    decode(wire) {
      const memory: Record<string, unknown> = {};
      let extra: JsonObject | undefined;
      for (const key of Object.keys(wire)) {
        const plan = byWire.get(key);
        const value = wire[key]!;
        if (plan === undefined) {
          if (!known(key)) setOwn((extra ??= {}), key, value);
        } else if (value !== null) {
          memory[plan.name] = plan.decode === undefined ? value : plan.decode(value as never);
        }
      }
      for (const { name, fallback } of plans) {
        if (fallback !== undefined && memory[name] === undefined) memory[name] = fallback();
      }
      if (extra !== undefined) memory["extra"] = extra;
      return memory as T;
    },
    encode(value) {
      const wire: JsonObject = { ...envelope };
      const memory = value as Record<string, unknown>;
      for (const plan of plans) {
        const held = memory[plan.name];
        if (held === undefined) continue;
        wire[plan.wire] = plan.encode === undefined ? (held as JsonValue) : plan.encode(held as never);
      }
      for (const [key, held] of Object.entries(value.extra ?? {})) {
        if (!known(key)) setOwn(wire, key, held);
      }
      return wire;
    },
  };
}

/** A list of records or values. */
export function list<T>(type: WireType<T>): WireType<T[]> {
  const schema = z.array(type.schema, "must be an array");
  const { decode, encode } = type;
  return {
    schema,
    ...(decode && { decode: (wire: never) => (wire as never[]).map((item) => decode(item)) }),
    ...(encode && { encode: (value: T[]) => value.map((item) => encode(item)) }),
  };
}

/** Plain assignment to `__proto__` would change the object's prototype instead of adding the key. */
function setOwn(target: JsonObject, key: string, value: JsonValue): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}
