import { ZERO_TOLERANCE, type DiagnosedStep } from "../diagnose/index.ts";
import { AsvError, InvalidArgumentError, showValue } from "../errors/index.ts";
import type { JsonValue } from "../schema/index.ts";
import { createNumbering } from "../summarize/numbering.ts";
import { checkResampling, DEFAULT_RESAMPLES, DEFAULT_SEED } from "../summarize/trajectory-bootstrap.ts";
import type { ActionGroup } from "../summarize/index.ts";
import { stepBits } from "../summarize/step-bits.ts";
import { allFlags } from "./all-flags.ts";
import type { ChannelComparison } from "./channel-comparison.ts";
import { createChannelTally } from "./channel-tally.ts";
import { finishComparison } from "./finish-comparison.ts";
import { byStepId, byTrajectory } from "./group-steps.ts";
import { createLargestEffects } from "./largest-effects.ts";
import { createPairColumns } from "./pair-columns.ts";
import { createCoverageTally } from "./pair-coverage.ts";
import { pairSteps, type StepPair } from "./pair-steps.ts";

/** A channel of a comparison, without its steps. */
export interface ChannelDescription {
  /** For people. Default: the protocol ids of its steps. */
  name?: string | undefined;
  /** The protocol's settings as a score file holds them (the `protocol` of an IndexedProtocol). */
  protocol?: JsonValue | undefined;
}

/** A channel with the steps it measured, in any order. */
export interface ChannelInput extends ChannelDescription {
  steps: Iterable<DiagnosedStep>;
}

export interface CompareOptions {
  /** Bootstrap resamples; 0 for means without intervals. Default 10,000. */
  resamples?: number;
  /** 32-bit integer. Default 7. */
  seed?: number;
  /** What counts as zero, nats; the same as the steps were measured with. Default 1e-9. */
  zeroTolerance?: number;
  /** Length of the list of largest effects. Default 10. */
  largest?: number;
  /** They may overlap. Default none. */
  groups?: readonly ActionGroup[];
}

/** Takes one trajectory at a time, both channels' steps together. */
export interface ChannelComparer {
  /**
   * @param a all steps that channel a has of one trajectory, in any order; may be empty
   * @param b the same trajectory's steps in channel b
   * @throws AsvError `conflicting_records` for a trajectory that was added before or a step that comes twice
   */
  add(a: readonly DiagnosedStep[], b: readonly DiagnosedStep[]): void;
  finish(): ChannelComparison;
}

/**
 * Compares two channels over the same frozen transitions, paired on (trajectory, step): paper section 3.4.
 *
 * Effects are G(a) − G(b), so b is the channel that a is held against. Steps that share their ids but not
 * their action, candidates, target or states are left out of every number and counted by reason; so is
 * everything that only one channel has. Keeps about 50 bytes a pair and each trajectory id.
 *
 * @throws InvalidArgumentError for options out of range
 */
export function createComparer(
  a: ChannelDescription,
  b: ChannelDescription,
  options: CompareOptions = {},
): ChannelComparer {
  const settings = resolve(options);
  const { zeroTolerance } = settings;
  const sides = {
    a: createChannelTally(a.name, zeroTolerance),
    b: createChannelTally(b.name, zeroTolerance),
  };
  const columns = createPairColumns();
  const coverage = createCoverageTally();
  const largest = createLargestEffects(settings.largest);
  const actions = createNumbering();
  const known = new Set<string>();
  let units = 0;

  const addPair = (pair: StepPair & { kind: "paired" }): void => {
    const flagsA = allFlags(pair.a);
    const flagsB = allFlags(pair.b);
    columns.push({
      unit: units,
      action: actions.number(pair.a.action),
      bitsA: stepBits(pair.a, flagsA, zeroTolerance),
      bitsB: stepBits(pair.b, flagsB, zeroTolerance),
      gainA: pair.a.diagnostics!.marginGain!,
      gainB: pair.b.diagnostics!.marginGain!,
    });
    sides.a.addPaired(pair.a, flagsA);
    sides.b.addPaired(pair.b, flagsB);
    largest.add(pair.a, pair.b);
  };

  return {
    add(stepsA, stepsB) {
      const trajectoryId = (stepsA[0] ?? stepsB[0])?.trajectoryId;
      if (trajectoryId === undefined) return;
      if (known.has(trajectoryId)) throw twice(trajectoryId);
      const ofB = byStepId(stepsB, trajectoryId, "b");
      const ofA = byStepId(stepsA, trajectoryId, "a");
      known.add(trajectoryId);
      sides.a.addOwn(stepsA);
      sides.b.addOwn(stepsB);
      let paired = 0;
      for (const step of stepsA) {
        const pair = pairSteps(step, ofB.get(step.stepId));
        coverage.addPair(pair);
        if (pair.kind !== "paired") continue;
        addPair(pair);
        paired++;
      }
      for (const step of stepsB) if (!ofA.has(step.stepId)) coverage.addPair(pairSteps(undefined, step));
      if (paired > 0) units++;
      coverage.addTrajectory(trajectoryKind(paired, stepsA.length, stepsB.length));
    },
    finish: () =>
      finishComparison({
        settings,
        a: { side: sides.a.finish(settings), protocol: a.protocol },
        b: { side: sides.b.finish(settings), protocol: b.protocol },
        table: columns.table(),
        units,
        actions: actions.names,
        coverage: coverage.coverage(),
        largest: largest.list(),
      }),
  };
}

/**
 * {@link createComparer} over steps that are at hand, in any order. Holds the steps while it pairs them; for
 * more than fits in memory, use the comparer with one trajectory at a time.
 *
 * @throws as createComparer, and AsvError `conflicting_records` for a step that comes twice in a channel
 */
export function compareChannels(
  a: ChannelInput,
  b: ChannelInput,
  options: CompareOptions = {},
): ChannelComparison {
  const comparer = createComparer(a, b, options);
  const ofA = byTrajectory(a.steps);
  const ofB = byTrajectory(b.steps);
  for (const [trajectoryId, steps] of ofA) comparer.add(steps, ofB.get(trajectoryId) ?? []);
  for (const [trajectoryId, steps] of ofB) if (!ofA.has(trajectoryId)) comparer.add([], steps);
  return comparer.finish();
}

function trajectoryKind(paired: number, inA: number, inB: number) {
  if (paired > 0) return "paired";
  return inB === 0 ? "onlyInA" : inA === 0 ? "onlyInB" : "unpaired";
}

function twice(trajectoryId: string): AsvError {
  return new AsvError(
    "conflicting_records",
    `Trajectory ${showValue(trajectoryId)} was added before. Add all its steps, of both channels, at once.`,
    { trajectoryId },
  );
}

function resolve(options: CompareOptions) {
  const {
    resamples = DEFAULT_RESAMPLES,
    seed = DEFAULT_SEED,
    zeroTolerance = ZERO_TOLERANCE,
    largest = 10,
    groups = [],
  } = options;
  checkResampling(resamples, seed);
  if (!(zeroTolerance >= 0 && zeroTolerance < Infinity)) {
    throw new InvalidArgumentError("zeroTolerance", "a number of at least 0 (nats)", zeroTolerance);
  }
  if (!Number.isInteger(largest) || largest < 0 || largest > 1000) {
    throw new InvalidArgumentError("largest", "an integer from 0 to 1000", largest);
  }
  return Object.freeze({ resamples, seed, zeroTolerance, largest, groups });
}
