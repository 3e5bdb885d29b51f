import { archives } from "./archives.ts";
import { council } from "./council.ts";
import { devices } from "./devices.ts";
import type { Topic } from "./run-source.ts";
import { shipping } from "./shipping.ts";
import { skies } from "./skies.ts";
import { species } from "./species.ts";
import { trials } from "./trials.ts";
import { wardPapers } from "./ward-papers.ts";
import { waterworks } from "./waterworks.ts";
import { workshops } from "./workshops.ts";

/** Every topic, in file order. */
export const topics: readonly Topic[] = [
  waterworks,
  species,
  devices,
  trials,
  archives,
  shipping,
  skies,
  workshops,
  council,
  wardPapers,
];
