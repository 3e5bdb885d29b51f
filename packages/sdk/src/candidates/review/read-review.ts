import { InvalidRecordError } from "../../errors/index.ts";
import {
  decodeCandidateFileRecord,
  isJsonObject,
  type CandidateReview,
  type CandidateSetRecord,
  type GoldRecord,
  type JsonObject,
} from "../../schema/index.ts";
import { freezeCandidates } from "../freeze-candidates.ts";
import { isUnreviewed, withoutMark } from "../unreviewed.ts";
import { validateCandidates } from "../validate-candidates.ts";
import { guardOf } from "./render-review.ts";
import { showId } from "./review-text.ts";
import { reviewLines, type ReviewBlock, type ReviewField } from "./review-lines.ts";

/** What came of a review. */
export interface ReviewResult {
  /** The accepted sets, frozen, with the review on them. */
  sets: CandidateSetRecord[];
  /** The targets that were chosen, apart from the sets. */
  gold: GoldRecord[];
  dropped: number;
}

/** Where the file is and when it is applied. */
export interface ReadReviewOptions {
  /** Name of the file, for errors. */
  source: string;
  /** ISO date and time that goes into the review records. */
  reviewedAt: string;
}

/**
 * Reads a filled-in review file. Accepted sets come out frozen over the texts the person left, so a
 * later change of a text is found; the targets come out apart.
 *
 * @throws InvalidRecordError naming the line of a set without a decision, an answer that cannot be
 * used, a target that is no candidate, a set whose fixed parts were changed, or a missing reviewer
 */
export function readReview(text: string, { source, reviewedAt }: ReadReviewOptions): ReviewResult {
  const { reviewer, blocks } = reviewLines(text, source);
  if (blocks.length === 0)
    throw new InvalidRecordError({ source, line: 1 }, "=== set", "is in no line: this is no review file");
  if (reviewer === undefined || reviewer.value === "") {
    throw new InvalidRecordError(
      reviewer?.place ?? { source, line: 1 },
      "reviewer",
      "must name the person who reviewed",
    );
  }
  const result: ReviewResult = { sets: [], gold: [], dropped: 0 };
  const tasks = new Set<string>();
  for (const block of blocks) {
    const set = setOf(block);
    if (tasks.has(set.taskId))
      throw new InvalidRecordError(block.place, "task", "has a set in this file already");
    tasks.add(set.taskId);
    const target = targetOf(block, set);
    if (!accepted(block)) {
      result.dropped++;
      continue;
    }
    const notes = block.fields.get("notes")?.value ?? "";
    const review: CandidateReview = { reviewer: reviewer.value, reviewedAt, ...(notes !== "" && { notes }) };
    result.sets.push({ ...set, ...freezeCandidates(set, set.question, review) });
    if (target !== undefined)
      result.gold.push({ record: "gold", taskId: set.taskId, goldCandidateId: target });
  }
  return result;
}

function setOf(block: ReviewBlock): CandidateSetRecord {
  const field = (name: string): ReviewField => fieldOf(block, name);
  const keep = keepOf(field("keep"));
  const [taskId, question] = [field("task").value, field("question").value];
  if (guardOf({ taskId, question, keep }) !== field("guard").value) {
    throw new InvalidRecordError(
      field("guard").place,
      "guard",
      "does not fit: task, question or keep of this set were changed; only answers may be",
    );
  }
  const candidates = (keep["candidates"] as JsonObject[]).map((candidate) => {
    const id = candidate["id"] as string;
    const answer = block.answers.get(id);
    if (answer === undefined) throw new InvalidRecordError(block.place, `answer ${showId(id)}`, "is missing");
    return { ...candidate, text: answer.value };
  });
  if (candidates.length !== block.answers.size) {
    throw new InvalidRecordError(block.place, "answer", "stands for an id that this set does not have");
  }
  const wire = { ...keep, record: "candidate_set", task_id: taskId, question, candidates };
  return checked(unmarked(decodeCandidateFileRecord(wire, block.place) as CandidateSetRecord), block);
}

function unmarked(set: CandidateSetRecord): CandidateSetRecord {
  if (!isUnreviewed(set)) return set;
  const { extra, ...rest } = set;
  const left = withoutMark(extra);
  return { ...rest, ...(left !== undefined && { extra: left }) };
}

/** The set, its answers looked at as if they had been made here; an id stays whatever it was. */
function checked(set: CandidateSetRecord, block: ReviewBlock): CandidateSetRecord {
  for (const [id, { value, place }] of block.answers) {
    if (value.trim() === "") throw new InvalidRecordError(place, `answer ${showId(id)}`, "must not be empty");
  }
  try {
    validateCandidates(set.candidates, "read");
  } catch (error) {
    throw new InvalidRecordError(
      block.place,
      "answer",
      error instanceof Error ? error.message : "cannot be used",
    );
  }
  return set;
}

function targetOf(block: ReviewBlock, { candidates }: CandidateSetRecord): string | undefined {
  const target = block.fields.get("target");
  if (target === undefined || target.value === "") return undefined;
  if (candidates.some(({ id }) => id === target.value)) return target.value;
  throw new InvalidRecordError(
    target.place,
    "target",
    `must be one of ${candidates.map(({ id }) => showId(id)).join(", ")}`,
  );
}

function accepted(block: ReviewBlock): boolean {
  const { value, place } = fieldOf(block, "accept");
  const word = value.toLowerCase();
  if (word === "y" || word === "yes") return true;
  if (word === "n" || word === "no") return false;
  throw new InvalidRecordError(place, "accept", "must be y or n: every set needs a decision");
}

function fieldOf(block: ReviewBlock, name: string): ReviewField {
  const found = block.fields.get(name);
  if (found !== undefined) return found;
  throw new InvalidRecordError(block.place, name, "is missing in this set");
}

function keepOf({ value, place }: ReviewField): JsonObject {
  let json: unknown;
  try {
    json = JSON.parse(value);
  } catch {
    json = undefined;
  }
  const list = isJsonObject(json) ? json["candidates"] : undefined;
  const whole =
    Array.isArray(list) && list.every((one) => isJsonObject(one) && typeof one["id"] === "string");
  if (isJsonObject(json) && whole) return json;
  throw new InvalidRecordError(place, "keep", "must be left as it was written");
}
