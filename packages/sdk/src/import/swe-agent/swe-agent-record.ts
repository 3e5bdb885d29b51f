import { z } from "zod";

const text = z.string("must be text").nullish();

/** One `.traj` file, of SWE-agent 0.x or 1.x, as far as it is read. */
export const sweAgentRecord = z.looseObject(
  {
    environment: text,
    trajectory: z.array(
      z.looseObject(
        {
          action: text,
          observation: text,
          response: text,
          thought: text,
          state: z.unknown().optional(),
          execution_time: z.number().nullish().catch(null),
          query: z.unknown().optional(),
        },
        "must be a turn, an object",
      ),
      "must be a list of turns",
    ),
    history: z.array(z.unknown()).nullish().catch(null),
    info: z.looseObject({}).nullish().catch(null),
  },
  "must be a SWE-agent trajectory, an object with a list of turns under trajectory",
);

export type SweAgentRecord = z.infer<typeof sweAgentRecord>;
export type SweAgentTurn = SweAgentRecord["trajectory"][number];
