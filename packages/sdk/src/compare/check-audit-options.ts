import { InvalidArgumentError } from "../errors/index.ts";
import { checkResampling } from "../summarize/trajectory-bootstrap.ts";

const MAX_SIZE = 1_000_000;

/** @throws InvalidArgumentError for a setting out of range, a name that repeats, or fewer than two channels */
export function checkAuditOptions(
  channels: readonly { name: string }[],
  settings: {
    samples: readonly string[];
    size: number;
    perTrajectory: number;
    sampleSeed: number;
    resamples: number;
    seed: number;
    zeroTolerance: number;
  },
): void {
  checkResampling(settings.resamples, settings.seed);
  checkResampling(0, settings.sampleSeed);
  for (const name of ["size", "perTrajectory"] as const) {
    const value = settings[name];
    if (!Number.isInteger(value) || value < 1 || value > MAX_SIZE) {
      throw new InvalidArgumentError(name, `an integer from 1 to ${MAX_SIZE}`, value);
    }
  }
  if (!(settings.zeroTolerance >= 0 && settings.zeroTolerance < Infinity)) {
    throw new InvalidArgumentError("zeroTolerance", "a number of at least 0 (nats)", settings.zeroTolerance);
  }
  for (const sample of settings.samples) {
    if (!["clean", "largest_gap", "random"].includes(sample)) {
      throw new InvalidArgumentError("samples", "any of clean, largest_gap, random", sample);
    }
  }
  if (channels.length < 2)
    throw new InvalidArgumentError("channels", "at least two channels", channels.length);
  const names = new Set<string>();
  for (const { name } of channels) {
    if (names.has(name)) throw new InvalidArgumentError("channels", "channels of different names", name);
    names.add(name);
  }
}
