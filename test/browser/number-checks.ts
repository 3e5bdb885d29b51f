import { ask } from "./page-facts.ts";
import type { Subject } from "./subject.ts";
import { openWatched } from "./watched-page.ts";

/** Numbers a report must show, as the JSON files have them: unrounded, undefined where there is none. */
export interface ExpectedNumbers {
  meanMarginGain: number | undefined;
  signs: readonly number[];
  surprise: readonly number[];
  entropyMovement: number | undefined;
  damage: number | undefined;
  repair: number | undefined;
  /** Gain, surprise and entropy movement of every step that is to be shown, in order. */
  steps: readonly (readonly (number | undefined)[])[];
  /** Name, steps and mean gain of every step type. */
  stepTypes: readonly (readonly [name: string, steps: number, mean: number | undefined])[];
}

/** The page's numbers are the files' numbers, to the last digit, and there is one row a step. */
export async function checkNumbers(
  { browser, file, name, tally }: Subject,
  expected: ExpectedNumbers,
): Promise<void> {
  const { page, close } = await openWatched(browser, file);
  const tiles = await ask<Record<string, number[]>>(page, "tiles");
  const equal = (what: string, shown: unknown, wanted: unknown) => {
    const [a, b] = [JSON.stringify(shown ?? null), JSON.stringify(wanted ?? null)];
    tally.check(
      `${name}: ${what} as in the JSON`,
      a === b,
      a === b ? a.slice(0, 60) : `${a.slice(0, 200)} for ${b.slice(0, 200)}`,
    );
  };
  equal("mean margin gain", tiles["Mean margin gain"]?.[0], expected.meanMarginGain);
  equal("steps by sign", tiles["Steps by sign"], expected.signs);
  equal("surprise", tiles["Surprise"]?.slice(0, 2), expected.surprise);
  equal("entropy movement", tiles["Entropy movement"]?.[0], expected.entropyMovement);
  equal("damage", tiles["Damage"]?.[0], expected.damage);
  equal("repair", tiles["Repair"]?.[0], expected.repair);
  const rows = await ask<number>(page, "stepRows");
  tally.check(`${name}: one row a step`, rows === expected.steps.length, `${rows} rows`);
  const cards = await ask<number>(page, "stepCards");
  tally.check(`${name}: one card a step`, cards === expected.steps.length, `${cards} cards`);
  const known = expected.steps.map((step) => step.map((value) => value ?? null));
  equal("every step's numbers", await ask(page, "stepNumbers"), known);
  const types = expected.stepTypes.map(([type, steps, mean]) => [type, steps, mean ?? null]);
  equal("every step type's numbers", await ask(page, "stepTypes"), types);
  await close();
}
