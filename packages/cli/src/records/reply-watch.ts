import type { ScoreFileRecord } from "@agent-step-value/sdk";

/** What a run's records say about the model and about what went wrong. */
export interface ReplyWatch {
  see(record: ScoreFileRecord): void;
  /** Doubts about the model that answered. */
  warnings(): string[];
  /** Why states are unscored, the most frequent reason first; empty where all are scored. */
  reasons(): string;
}

/** @param model the one that was asked for */
export function createReplyWatch(model: string): ReplyWatch {
  const others = new Set<string>();
  const fingerprints = new Set<string>();
  const reasons = new Map<string, number>();
  return {
    see(record) {
      if (record.record === "unscored") {
        const code = record.reason.split(":", 1)[0]!;
        reasons.set(code, (reasons.get(code) ?? 0) + 1);
      }
      if (record.record !== "score" && record.record !== "rationale") return;
      if (record.modelReturned !== undefined && !answersAs(model, record.modelReturned))
        others.add(record.modelReturned);
      if (record.record === "score" && record.fingerprint !== undefined) fingerprints.add(record.fingerprint);
    },
    warnings() {
      const found: string[] = [];
      if (others.size > 0)
        found.push(
          `asked for the model ${model}, but ${[...others].join(", ")} answered; the records say which answered what`,
        );
      if (fingerprints.size > 1)
        found.push(`the server changed during the run: ${fingerprints.size} fingerprints among the scores`);
      return found;
    },
    reasons() {
      const sorted = [...reasons].toSorted(([, a], [, b]) => b - a);
      return sorted.map(([code, count]) => `${code} (${count})`).join(", ");
    },
  };
}

/** A dated version of a model, or the same one behind a provider's prefix, is the model. */
function answersAs(asked: string, answered: string): boolean {
  const bare = (name: string) => name.slice(name.lastIndexOf("/") + 1).toLowerCase();
  const [wanted, given] = [bare(asked), bare(answered)];
  return given === wanted || given.startsWith(`${wanted}-`) || given.startsWith(`${wanted}:`);
}
