/** As the summary's own warning: below it a tail of 2.5 % rests on fewer than five resamples. */
const FEW_RESAMPLES = 200;

/** What is to be said of intervals from few resamples; nothing where there are none or enough. */
export function resamplingCautions({ resamples }: { resamples: number }, hasInterval: boolean): string[] {
  if (!hasInterval || resamples === 0 || resamples >= FEW_RESAMPLES) return [];
  return [
    `intervals and p-values come from ${resamples} resample${resamples === 1 ? "" : "s"}: below ${FEW_RESAMPLES} their ends are coarse`,
  ];
}
