import { STEP_SPAN, TRAJECTORY_SPAN } from "../asv-spans/attributes.ts";

/** A sampler of any line of the SDK; arguments: context, trace id, span name, and more. */
export interface SamplerLike<A extends unknown[], R extends { readonly decision: number }> {
  shouldSample(...parameters: A): R;
  toString(): string;
}

/** `SamplingDecision` of the SDK. */
const NOT_RECORD = 0;
const RECORD = 1;

/**
 * Has `asv.*` spans recorded that a sampler would drop, so that span processors see them. They are not
 * exported: their trace flags stay unsampled, and exporting processors go past them. For all other
 * spans the sampler's word stands.
 *
 * @param sampler the host's own, of either line of the SDK; what it throws is thrown on
 */
export function asvRecordAll<A extends unknown[], R extends { readonly decision: number }>(
  sampler: SamplerLike<A, R>,
): SamplerLike<A, R> {
  return {
    shouldSample(...parameters: A): R {
      const result = sampler.shouldSample(...parameters);
      const name = parameters[2];
      if (result.decision !== NOT_RECORD || (name !== STEP_SPAN && name !== TRAJECTORY_SPAN)) return result;
      // A copy: a sampler may give the same object every time.
      return { ...result, decision: RECORD };
    },
    toString: () => `AsvRecordAll{${String(sampler)}}`,
  };
}
