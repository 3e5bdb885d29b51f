import { InvalidArgumentError } from "@agent-step-value/sdk";
import { aiSdk } from "./ai-sdk/index.ts";
import { genAi } from "./gen-ai/index.ts";
import { googleAdk } from "./google-adk/index.ts";
import { langfuse } from "./langfuse/index.ts";
import { openInference } from "./openinference/index.ts";
import type { Convention } from "./span-reading.ts";
import { traceloop } from "./traceloop/index.ts";

/** Every convention that can be read. A span is read by the first that owns it, so the general one comes last. */
const CONVENTIONS: readonly Convention[] = [langfuse, openInference, aiSdk, googleAdk, traceloop, genAi];

/** Names of the conventions that can be read. */
export const CONVENTION_NAMES: readonly string[] = CONVENTIONS.map(({ name }) => name);

/**
 * The conventions to read by: all, or the named one alone.
 *
 * @throws InvalidArgumentError for a name that is none
 */
export function conventionsFor(name: string | undefined): readonly Convention[] {
  if (name === undefined) return CONVENTIONS;
  const chosen = CONVENTIONS.filter((convention) => convention.name === name);
  if (chosen.length > 0) return chosen;
  throw new InvalidArgumentError("convention", `one of ${CONVENTION_NAMES.join(", ")}`, name);
}
