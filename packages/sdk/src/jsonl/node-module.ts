import type * as NodeBuffer from "node:buffer";
import type * as NodeCrypto from "node:crypto";
import type * as NodeFs from "node:fs";
import { AsvError } from "../errors/index.ts";

interface NodeModules {
  "node:buffer": typeof NodeBuffer;
  "node:crypto": typeof NodeCrypto;
  "node:fs": typeof NodeFs;
}

/**
 * A module of Node, got without an import: the main entry, which exports the reader, must load in
 * runtimes that have none.
 *
 * @throws {AsvError} `unreadable_source` where there is no such module
 */
export function nodeModule<Id extends keyof NodeModules>(id: Id): NodeModules[Id] {
  const found = globalThis.process?.getBuiltinModule?.(id) as NodeModules[Id] | undefined;
  if (found !== undefined) return found;
  throw new AsvError(
    "unreadable_source",
    `Reading record files needs ${id}, which this runtime does not have.`,
  );
}
