import type { RunOwner } from "./run-event.ts";

/** A run that somebody else captures: its events are taken and nothing is made of them. */
export class SilentRun implements RunOwner {
  readonly rootId: string;

  constructor(rootId: string) {
    this.rootId = rootId;
  }

  surroundings(): undefined {
    return undefined;
  }

  childStarted(): void {}

  childEnded(): void {}

  ended(): void {}

  abandon(): void {}
}
