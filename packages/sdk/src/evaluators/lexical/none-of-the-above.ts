/**
 * Fixed score of none-of-the-above, in nats: PMI is 0 where the state adds nothing, and a concrete
 * candidate must rise above this constant to be preferred.
 *
 * Calibrated on 100 public PubMedQA questions by `examples/study-pubmedqa/calibrate.ts`: of the
 * constants 0 to 2 in steps of 0.05, 0.6 has the largest Youden's J (0.972). With it none-of-the-above is
 * on top for 1 of 100 questions read with their own abstract, for 98.2 % of the 9,900 foreign pairs,
 * and for every question alone. From 0.5 to 1.05 J is within 0.006 of that, so the second digit means
 * nothing. docs/lexical-v1.md has the curve and its limits.
 */
export const NONE_OF_THE_ABOVE_PMI = 0.6;
