/** The two channels of a synthetic study. */
export const STUDY_CHANNELS = ["direct", "rationale-128"] as const;

export type StudyChannel = (typeof STUDY_CHANNELS)[number];

/** Chances that a channel loses or wins the target as first choice, given that it can. */
export interface FlipChances {
  damage: number;
  repair: number;
}

/** How steps of one type behave. */
export interface StepLaw {
  action: string;
  /** Chance that the step is one at which anything moves; channels move together on these. */
  eventful: number;
  flips: Readonly<Record<StudyChannel, FlipChances>>;
}

/** The random process that a study is drawn from. */
export interface StudyLaw {
  /** Chance that the target is first choice before any step. */
  start: Readonly<Record<StudyChannel, number>>;
  /** Of each trajectory, one of these equally likely factors on its flip chances, so that its steps go together. */
  temperaments: readonly number[];
  /** Chance that a channel whose first choice is wrong, and stays so, goes to another wrong one. */
  between: number;
  steps: readonly StepLaw[];
}

/** Shares of all steps of a type that lose and win the target. */
type Shares = readonly [damage: number, repair: number];

/** Step type, chance of an eventful step, shares in the direct and in the rationale channel. */
type Row = readonly [action: string, eventful: number, direct: Shares, rationale: Shares];

/**
 * The paper's picture (sections 5.1 to 5.3): the direct channel gains, most where evidence comes in; the
 * rationale channel loses, most at extract (24 % damage against 4 % repair) and audit (22 % against 3 %).
 */
const PAPER: readonly Row[] = [
  ["classify", 0.3, [0.04, 0.06], [0.06, 0.04]],
  ["plan", 0.3, [0.04, 0.06], [0.06, 0.04]],
  ["validate_plan", 0.4, [0.05, 0.07], [0.14, 0.02]],
  ["retrieve", 0.4, [0.04, 0.16], [0.11, 0.03]],
  ["extract", 0.6, [0.06, 0.14], [0.24, 0.04]],
  ["draft", 0.3, [0.06, 0.08], [0.06, 0.04]],
  ["audit", 0.8, [0.1, 0.08], [0.22, 0.03]],
  ["revise", 0.4, [0.05, 0.09], [0.05, 0.05]],
  ["advisory_verify", 0.4, [0.05, 0.07], [0.04, 0.05]],
  ["post_audit", 0.4, [0.05, 0.07], [0.05, 0.07]],
  ["finalize", 0.4, [0.05, 0.07], [0.05, 0.06]],
];

/** Nothing helps or hurts: as many are lost as won at every step type, in both channels alike. */
const NULL: readonly Row[] = PAPER.map(([action, eventful]) => [
  action,
  eventful,
  [0.08, 0.08],
  [0.08, 0.08],
]);

/** The step types of a study, in the order of its steps. */
export const STUDY_ACTIONS: readonly string[] = PAPER.map(([action]) => action);

/** @param effects `paper` for the paper's picture, `none` for a study in which every true effect is zero */
export function studyLaw(effects: "paper" | "none"): StudyLaw {
  return effects === "paper"
    ? lawOf({ direct: 0.3, "rationale-128": 0.82 }, PAPER)
    : lawOf({ direct: 0.5, "rationale-128": 0.5 }, NULL);
}

/** Turns shares of all steps into chances given that the step can lose or win the target. */
function lawOf(start: StudyLaw["start"], rows: readonly Row[]): StudyLaw {
  const first = { ...start };
  const chances = (channel: StudyChannel, [damage, repair]: Shares): FlipChances => {
    const before = first[channel];
    first[channel] = before - damage + repair;
    return { damage: damage / before, repair: repair / (1 - before) };
  };
  return {
    start,
    temperaments: [0.8, 1.2],
    between: 0.05,
    steps: rows.map(([action, eventful, direct, rationale]) => ({
      action,
      eventful,
      flips: {
        direct: chances("direct", direct),
        "rationale-128": chances("rationale-128", rationale),
      },
    })),
  };
}

/** Chance of a flip at an eventful step of a trajectory of this temperament. */
export function flipChance(chance: number, temperament: number, eventful: number): number {
  return Math.min(1, (chance * temperament) / eventful);
}
