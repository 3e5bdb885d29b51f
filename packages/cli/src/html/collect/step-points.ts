/** Numbers of all steps that have surprise and entropy movement, in columns: 25 bytes a step. */
export interface StepPoints {
  length: number;
  surprise: Float64Array;
  entropyMovement: Float64Array;
  /** NaN where a step has no margin gain. */
  marginGain: Float64Array;
  /** What became of the first choice: see `pivotCode`. */
  pivot: Uint8Array;
}

/** Columns that grow while steps come in. */
export interface StepPointColumns {
  push(point: { surprise: number; entropyMovement: number; marginGain: number; pivot: number }): void;
  points(): StepPoints;
}

export function createStepPoints(): StepPointColumns {
  let capacity = 1024;
  let length = 0;
  let columns = allocate(capacity);
  return {
    push({ surprise, entropyMovement, marginGain, pivot }) {
      if (length === capacity) {
        const larger = allocate((capacity *= 2));
        larger.surprise.set(columns.surprise);
        larger.entropyMovement.set(columns.entropyMovement);
        larger.marginGain.set(columns.marginGain);
        larger.pivot.set(columns.pivot);
        columns = larger;
      }
      columns.surprise[length] = surprise;
      columns.entropyMovement[length] = entropyMovement;
      columns.marginGain[length] = marginGain;
      columns.pivot[length] = pivot;
      length++;
    },
    points: () => ({
      length,
      surprise: columns.surprise.subarray(0, length),
      entropyMovement: columns.entropyMovement.subarray(0, length),
      marginGain: columns.marginGain.subarray(0, length),
      pivot: columns.pivot.subarray(0, length),
    }),
  };
}

function allocate(capacity: number): Omit<StepPoints, "length"> {
  return {
    surprise: new Float64Array(capacity),
    entropyMovement: new Float64Array(capacity),
    marginGain: new Float64Array(capacity),
    pivot: new Uint8Array(capacity),
  };
}
