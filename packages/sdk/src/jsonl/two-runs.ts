/** What to do where live records of one trajectory contradict each other. */
export const TWO_RUNS =
  "Either two runs have this id: read their files apart, or give one another id. Or one run was recorded twice, by a recorder and from its spans: keep one of the files.";
