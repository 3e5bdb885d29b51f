export { readReview, type ReadReviewOptions, type ReviewResult } from "./read-review.ts";
export { renderReview } from "./render-review.ts";
