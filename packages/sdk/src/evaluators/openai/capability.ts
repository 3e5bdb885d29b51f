import { z } from "zod";
import { AsvError } from "../../errors/index.ts";

export const CAPABILITY_SCHEMA = "asv.capability.v1";

/** One thing a probe looked at. */
export interface CapabilityCheck {
  name: string;
  ok: boolean;
  detail: string;
}

/** What a probe found out about one model at one endpoint; a file holds it as it is. */
export interface CapabilityReport {
  schema_version: typeof CAPABILITY_SCHEMA;
  endpoint: string;
  model: string;
  preset: string;
  checks: CapabilityCheck[];
  /** Fit to score. */
  ok: boolean;
  /** ISO 8601. */
  at: string;
}

const reportSchema = z.looseObject({
  schema_version: z.literal(CAPABILITY_SCHEMA),
  endpoint: z.string(),
  model: z.string(),
  preset: z.string(),
  checks: z.array(z.looseObject({ name: z.string(), ok: z.boolean(), detail: z.string() })),
  ok: z.boolean(),
  at: z.string(),
});

/**
 * A capability report from parsed JSON.
 *
 * @param source named in the message
 * @throws AsvError `invalid_record`
 */
export function parseCapability(json: unknown, source: string): CapabilityReport {
  const result = reportSchema.safeParse(json);
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0]!;
  const where = path.length === 0 ? "" : ` field ${path.join(".")}:`;
  throw new AsvError("invalid_record", `${source}:${where} is no capability report (${message}).`, {
    source,
  });
}

/**
 * Refuses to score where a probe said that it cannot be done, or where the probe was of something else.
 *
 * @throws AsvError `incompatible_evaluator`, naming the failed checks
 */
export function requireCapability(
  report: CapabilityReport,
  { endpoint, model }: { endpoint: string; model: string },
): void {
  const refuse = (problem: string) => {
    throw new AsvError("incompatible_evaluator", problem, { endpoint, model });
  };
  if (report.endpoint !== endpoint || report.model !== model) {
    refuse(
      `The capability report is about ${report.model} at ${report.endpoint}, not ${model} at ${endpoint}; probe that (asv probe).`,
    );
  }
  if (report.ok) return;
  const failed = report.checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`);
  refuse(
    `${model} at ${endpoint} failed its probe of ${report.at}: ${failed.join("; ") || "no reason given"}.`,
  );
}
