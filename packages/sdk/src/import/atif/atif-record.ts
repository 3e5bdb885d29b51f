import { z } from "zod";

const text = z.string("must be text").nullish();
const content = z.union([z.string(), z.array(z.unknown())], "must be text or a list of parts").nullish();
const loose = z.looseObject({}).nullish().catch(null);

const result = z.looseObject(
  {
    source_call_id: text,
    content,
    subagent_trajectory_ref: z.unknown().optional(),
  },
  "must be a result, an object",
);

const step = z.looseObject(
  {
    step_id: z.union([z.number(), z.string()]).nullish().catch(null),
    source: z.string("must be system, user or agent"),
    message: content,
    reasoning_content: text.catch(null),
    tool_calls: z.array(z.looseObject({}, "must be a call, an object"), "must be a list of calls").nullish(),
    observation: z
      .looseObject(
        { results: z.array(result, "must be a list of results").nullish() },
        "must be an object with results",
      )
      .nullish(),
    metrics: loose,
    is_copied_context: z.boolean().nullish().catch(null),
  },
  "must be a step, an object",
);

/** One trajectory in the Agent Trajectory Interchange Format, versions 1.0 to 1.7 and later ones of 1. */
export const atifRecord = z.looseObject(
  {
    schema_version: z.string("must be text, for example ATIF-v1.7"),
    session_id: text,
    trajectory_id: text,
    agent: loose,
    steps: z.array(step, "must be a list of steps"),
    continued_trajectory_ref: text.catch(null),
    subagent_trajectories: z.array(z.unknown()).nullish().catch(null),
  },
  "must be an ATIF trajectory, an object with schema_version and steps",
);

export type AtifRecord = z.infer<typeof atifRecord>;
export type AtifStep = AtifRecord["steps"][number];
