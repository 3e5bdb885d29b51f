import { ZERO_TOLERANCE } from "../diagnose/index.ts";
import { InvalidArgumentError } from "../errors/index.ts";
import { DEFAULT_RESAMPLES, DEFAULT_SEED } from "../summarize/trajectory-bootstrap.ts";
import { AUDIT_SCHEMA, type AttributionAudit, type AuditSample } from "./attribution-audit.ts";
import { indexChannel, type AuditChannel, type IndexedChannel } from "./audit-channel.ts";
import { auditPopulation } from "./audit-population.ts";
import { auditTable } from "./audit-table.ts";
import { auditWarnings } from "./audit-warnings.ts";
import { checkAuditOptions } from "./check-audit-options.ts";
import { bootstrapSettings } from "./finish-comparison.ts";

/** The channels of the paper's Table 2, as presets of `protocol/` name them. */
export const AUDIT_CHANNELS: readonly string[] = [
  "direct",
  "rationale-128",
  "rationale-512",
  "extractive",
  "candidate-only",
  "direct@evidence",
  "rationale-128@evidence",
];

export interface AuditOptions {
  /** Name of the channel that gaps are taken against. Default `direct`, or else the first channel. */
  baseline?: string;
  /** Name of the channel whose gap to the baseline selects the sample. Default `rationale-128`, or else the first other one. */
  contrast?: string;
  /** One table each. Default `largest_gap` and `random`, so that the selected one never stands alone. */
  samples?: readonly AuditSample[];
  /** Transitions of a sample. Default 100. */
  size?: number;
  /** Largest gaps taken of one trajectory. Default 3. */
  perTrajectory?: number;
  /** Of the samples' shuffles; 32-bit integer. Default 7. */
  sampleSeed?: number;
  /** Names that should be there; those that are not are listed. Default {@link AUDIT_CHANNELS}. */
  expected?: readonly string[];
  /** Bootstrap resamples; 0 for means without intervals. Default 10,000. */
  resamples?: number;
  /** Of the bootstrap; 32-bit integer. Default 7. */
  seed?: number;
  /** What counts as zero, nats. Default 1e-9. */
  zeroTolerance?: number;
}

/**
 * The attribution audit, the paper's Table 2: the same transitions through several channels, each row held
 * against the baseline.
 *
 * Transitions are drawn from those that are clean (UNCLEAN_FLAGS) in baseline and contrast. A sample of the
 * largest gaps is selected on the outcome: it shows where the channels part, not how far they part in
 * general, and its intervals hold for transitions selected so. Rows say which of the sample's transitions
 * they lack.
 *
 * @throws InvalidArgumentError for options out of range, names that repeat or fewer than two channels
 * @throws AsvError `conflicting_records` for a step that comes twice in a channel
 */
export function auditChannels(
  channels: readonly AuditChannel[],
  options: AuditOptions = {},
): AttributionAudit {
  const settings = {
    samples: options.samples ?? (["largest_gap", "random"] as const),
    size: options.size ?? 100,
    perTrajectory: options.perTrajectory ?? 3,
    sampleSeed: options.sampleSeed ?? DEFAULT_SEED,
    resamples: options.resamples ?? DEFAULT_RESAMPLES,
    seed: options.seed ?? DEFAULT_SEED,
    zeroTolerance: options.zeroTolerance ?? ZERO_TOLERANCE,
  };
  checkAuditOptions(channels, settings);
  const indexed = channels.map(indexChannel);
  const baseline = choose(indexed, "baseline", options.baseline, "direct", undefined);
  const contrast = choose(indexed, "contrast", options.contrast, "rationale-128", baseline);
  const { population, excluded } = auditPopulation(baseline, contrast);
  const tables = settings.samples.map((sample) =>
    auditTable(sample, population, indexed, baseline, settings),
  );
  const given = new Set(channels.map(({ name }) => name));
  const audit: Omit<AttributionAudit, "warnings"> = {
    schemaVersion: AUDIT_SCHEMA,
    baseline: baseline.channel.name,
    contrast: contrast.channel.name,
    zeroTolerance: settings.zeroTolerance,
    bootstrap: bootstrapSettings(settings),
    sampleSeed: settings.sampleSeed,
    excluded,
    tables: tables.map(({ table }) => table),
    missingChannels: (options.expected ?? AUDIT_CHANNELS).filter((name) => !given.has(name)),
  };
  const unverified = tables.reduce((sum, table) => sum + table.unverified, 0);
  return { ...audit, warnings: auditWarnings(audit, unverified) };
}

function choose(
  channels: readonly IndexedChannel[],
  role: string,
  asked: string | undefined,
  preferred: string,
  other: IndexedChannel | undefined,
): IndexedChannel {
  const named = (name: string) => channels.find((one) => one.channel.name === name && one !== other);
  if (asked === undefined) return named(preferred) ?? channels.find((one) => one !== other)!;
  const found = named(asked);
  if (found !== undefined) return found;
  const names = channels.map(({ channel }) => channel.name).join(", ");
  throw new InvalidArgumentError(
    role,
    `one of the channels ${names}${other ? ", not the baseline" : ""}`,
    asked,
  );
}
