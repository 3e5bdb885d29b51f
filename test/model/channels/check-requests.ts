import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tally } from "../tally.ts";
import type { SentBody } from "./recording-proxy.ts";
import { scoreFile } from "./score-channels.ts";

/** Names under which files of this project and of the data set hold the answer. */
const ANSWER_FIELDS = [
  "gold_candidate_id",
  "goldCandidateId",
  "final_decision",
  "reasoning_required_pred",
  "LONG_ANSWER",
];

/** What a model was sent: whole prompts of our questions, and nothing that tells the answer. */
export function checkBodies(
  sent: readonly SentBody[],
  questions: readonly string[],
  conclusions: readonly string[],
  tally: Tally,
): void {
  const prompts = sent.map(({ body }) => promptOf(body));
  const holding = (texts: readonly string[]) =>
    prompts.filter((prompt) => texts.some((text) => prompt.includes(plain(text)))).length;
  const asked = holding(questions);
  // Else a recorder that heard nothing, or something else, would find no answer either.
  tally.check("every recorded prompt is about one of the questions", asked === sent.length && asked > 0);
  tally.check(
    "no conclusion of a question was ever sent",
    holding(conclusions) === 0,
    `${conclusions.length} conclusions in ${sent.length} requests`,
  );
  const fields = sent.filter(({ body }) => ANSWER_FIELDS.some((field) => body.includes(field))).length;
  tally.check("no field that holds the answer was ever sent", fields === 0);
}

/**
 * The same runs with other targets were scored from the kept replies: had the target any part in a
 * request, there would have been a request, and had it any part in a record, the bytes would differ.
 */
export function checkOtherTargets(
  folder: string,
  otherFolder: string,
  channels: readonly string[],
  requests: number,
  tally: Tally,
): void {
  tally.check("with other targets every request is one that was sent before", requests === 0);
  const differing = channels.filter(
    (channel) =>
      !readFileSync(join(folder, scoreFile(channel))).equals(
        readFileSync(join(folder, scoreFile(channel, otherFolder))),
      ),
  );
  tally.check(
    "with other targets every score file has the same bytes",
    differing.length === 0,
    differing.join(),
  );
}

function promptOf(body: string): string {
  const { messages = [] } = JSON.parse(body) as { messages?: { content: string }[] };
  return plain(messages.map(({ content }) => content).join("\n"));
}

/** One line: the template breaks and quotes what it shows. */
function plain(text: string): string {
  return text.replaceAll(/[\s|]+/g, " ").trim();
}
