/**
 * Fixed score of none-of-the-above, in nats: PMI is 0 where the state adds nothing, and a concrete
 * candidate must rise above this constant to be preferred.
 */
export const NONE_OF_THE_ABOVE_PMI = 0.5;
