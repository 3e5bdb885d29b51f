import { apiCopyScenarios } from "./api-copies.test-support.ts";
import { contentScenarios } from "./contents.test-support.ts";
import { lifeCycleScenarios } from "./life-cycle.test-support.ts";
import { lossScenarios } from "./loss.test-support.ts";
import { neighbourScenarios } from "./neighbours.test-support.ts";
import { processScenarios } from "./processes.test-support.ts";
import type { Scenario } from "./scenario.test-support.ts";
import { stateScenarios } from "./states.test-support.ts";

/** All that must hold on every line of the SDK. */
export const scenarios: Scenario[] = [
  ...lossScenarios,
  ...stateScenarios,
  ...contentScenarios,
  ...neighbourScenarios,
  ...lifeCycleScenarios,
  ...processScenarios,
  ...apiCopyScenarios,
];
