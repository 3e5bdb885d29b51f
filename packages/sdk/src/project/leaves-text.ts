import { newPass } from "./new-pass.ts";
import type { ResolvedPolicy } from "./projection-policy.ts";
import { RedactionSession } from "./redaction-session.ts";
import { isLeft } from "./redact-string.ts";

/** For texts that are only looked at: it numbers no secret and remembers nothing. */
class Trial extends RedactionSession {
  /** True when a text carried a placeholder, whose number is to be kept from others. */
  reserves = false;

  override placeholder(rule: string): string {
    return `[SECRET:${rule}:0]`;
  }

  override reserve(): void {
    this.reserves = true;
  }
}

const trial = new Trial();

/**
 * True where a projection would leave a block's text or name, or a field's name or short text, as it is,
 * and would take nothing from it for later.
 */
export function leavesText(text: string, policy: ResolvedPolicy): boolean {
  trial.reserves = false;
  return isLeft(text, newPass(policy, trial)) && !trial.reserves;
}
