import type { Block, Candidate, State } from "../../schema/index.ts";

const AGENTS =
  "zinc oxide,pale ale yeast,cedar resin,river clay,honey extract,basalt dust,oat bran,fern spores".split(
    ",",
  );
const EFFECTS =
  "lowers fever,heals burns,slows decay,calms itching,raises yield,clears fog,stops rust,softens leather".split(
    ",",
  );
const MECHANISMS =
  "mineral buffering,surface cooling,enzyme blocking,water retention,light scattering,salt exchange,pore sealing,heat storage".split(
    ",",
  );

/** The question and the three concrete answers of the n-th task; all made up. */
export function taskTexts(n: number): { question: string; answers: string[] } {
  const agent = AGENTS[n % AGENTS.length]!;
  const effect = EFFECTS[Math.floor(n / AGENTS.length) % EFFECTS.length]!;
  return {
    question: `Case ${n + 1}: how does ${agent} act when it ${effect}?`,
    answers: [0, 1, 2].map((i) => {
      const mechanism = MECHANISMS[(n + 3 * i) % MECHANISMS.length]!;
      return `It works through ${mechanism} in trial ${String.fromCharCode(97 + i)}${n + 1}.`;
    }),
  };
}

/** One block a step, so that no two states of a study are alike. */
export function studyStates(
  trajectoryId: string,
  question: string,
  actions: readonly string[],
  target: Candidate,
): State[] {
  const blocks: Block[] = [{ kind: "task", text: question }];
  return [undefined, ...actions].map((action, i) => {
    if (action !== undefined) {
      const isEvidence = action === "retrieve" || action === "extract";
      const text = isEvidence ? `Source ${i}: ${target.text}` : `Note ${i} of ${trajectoryId}.`;
      blocks.push({ kind: isEvidence ? "evidence" : "message", name: action, text });
    }
    return { blocks: blocks.map((block) => ({ ...block })) } as unknown as State;
  });
}

/** A rationale that names what its channel then chooses; it drops the target's words where the target is lost. */
export function rationaleText(ids: readonly string[], chosen: Candidate): string {
  const others = ids.filter((id) => id !== chosen.id).map((id) => `${id}: no support found.`);
  return [`${chosen.id}: supported. ${chosen.text}`, ...others].join("\n");
}
