import { z } from "zod";

const text = z.union([z.string(), z.number()], "must be text or a number").transform(String);

/**
 * One Who&When log. Both forms: algorithm-generated logs name the speaker in `name`, and their `role`
 * says nothing about who speaks; hand-crafted logs have no `name`, and their `role` is the speaker.
 */
export const whoAndWhenRecord = z.looseObject({
  source_file: z.string("must be text").optional(),
  question: z.string("must be text"),
  question_ID: z.string("must be text").optional(),
  level: text.nullish(),
  ground_truth: text.nullish(),
  history: z.array(
    z.looseObject({
      content: z.string("must be text").nullish(),
      role: z.string("must be text").nullish(),
      name: z.string("must be text").nullish(),
    }),
    "must be a list of messages",
  ),
  mistake_agent: z.string("must be text").nullish(),
  mistake_step: text.nullish(),
  mistake_reason: z.string("must be text").nullish(),
  is_correct: z.boolean("must be true or false").nullish(),
  is_corrected: z.boolean("must be true or false").nullish(),
});

export type WhoAndWhenRecord = z.infer<typeof whoAndWhenRecord>;
export type WhoAndWhenMessage = WhoAndWhenRecord["history"][number];

/** What a run of Who&When ended up answering, as read off its log. */
export interface RunAnswer {
  source_file: string;
  /** Null where the run ends without an answer. */
  run_answer: string | null;
  /** Marks an answer that differs from the reference answer in form only. */
  note?: string | undefined;
}
