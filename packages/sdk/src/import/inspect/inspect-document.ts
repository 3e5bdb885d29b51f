import { InvalidRecordError, type RecordPlace } from "../../errors/index.ts";
import { isJsonObject, type JsonObject } from "../../schema/index.ts";
import { idText } from "../id-text.ts";

/** A log's samples and what they have in common. */
export interface InspectDocument {
  readonly task: string;
  readonly model: string | undefined;
  readonly samples: readonly JsonObject[];
}

/**
 * Reads an eval log (`{version, eval, samples}`), or one sample as a log archive keeps it.
 *
 * @throws InvalidRecordError for a document that is neither
 */
export function readInspectDocument(json: unknown, place: RecordPlace): InspectDocument {
  const problem = "must be an Inspect eval log with samples, or one sample with id, input and target";
  if (!isJsonObject(json)) throw new InvalidRecordError(place, "", problem);
  const { eval: spec, samples } = json;
  const about = isJsonObject(spec) ? spec : {};
  const task = typeof about["task"] === "string" && about["task"] !== "" ? about["task"] : "task";
  const model = typeof about["model"] === "string" ? about["model"] : undefined;
  if (samples === undefined && isSample(json)) return { task, model, samples: [json] };
  if (samples === undefined && isJsonObject(spec)) return { task, model, samples: [] };
  if (!Array.isArray(samples)) throw new InvalidRecordError(place, "samples", problem);
  for (const [i, sample] of samples.entries()) {
    if (!isSample(sample))
      throw new InvalidRecordError(place, `samples[${i}]`, "must be a sample with id and input");
  }
  return { task, model, samples: samples as JsonObject[] };
}

function isSample(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const { id, input } = value;
  return idText(id) !== undefined && (typeof input === "string" || Array.isArray(input));
}
