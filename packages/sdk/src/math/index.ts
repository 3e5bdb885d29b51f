export { entropy } from "./entropy.ts";
export { fsum } from "./fsum.ts";
export { klDivergence } from "./kl-divergence.ts";
export { logSumExp } from "./log-sum-exp.ts";
export { quantile } from "./quantile.ts";
export { createRandom, RANDOM_NAME, type Random } from "./random.ts";
export { smoothBelief } from "./smooth-belief.ts";
export { softmax } from "./softmax.ts";
