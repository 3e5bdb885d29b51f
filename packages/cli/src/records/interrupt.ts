import { EXIT } from "../exit-code.ts";
import { giveUpOutputs } from "./unfinished-outputs.ts";

/** A signal that fires on Ctrl-C. A second Ctrl-C ends the process, as it would without this. */
export interface Interrupt {
  signal: AbortSignal;
  /** Gives Ctrl-C back the meaning it had. */
  release(): void;
}

type OnSignal = () => void;

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
/** Who takes a signal: the last one. */
const taking: OnSignal[] = [];
let always = false;
let leaving = false;

export function createInterrupt(): Interrupt {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) leave();
    controller.abort();
  };
  listen();
  taking.push(onSignal);
  return {
    signal: controller.signal,
    release: () => {
      const at = taking.lastIndexOf(onSignal);
      if (at >= 0) taking.splice(at, 1);
      if (taking.length === 0 && !always) for (const name of SIGNALS) process.off(name, dispatch);
    },
  };
}

/** Has Ctrl-C and SIGTERM end the process without leaving unfinished files beside their targets. */
export function leaveCleanly(): void {
  always = true;
  listen();
}

/** Whether the process is about to end by a signal, so that errors are of no interest any more. */
export function isLeaving(): boolean {
  return leaving;
}

function listen(): void {
  for (const signal of SIGNALS) {
    if (!process.listeners(signal).includes(dispatch)) process.on(signal, dispatch);
  }
}

function dispatch(): void {
  (taking.at(-1) ?? leave)();
}

/** A second time it does not wait for files. */
function leave(): void {
  if (leaving) process.exit(EXIT.interrupted);
  leaving = true;
  void giveUpOutputs().then((outputs) => {
    const removed = outputs > 0 ? "; unfinished files were removed, and what was there before stands" : "";
    process.stderr.write(`asv: interrupted${removed}\n`);
    process.exit(EXIT.interrupted);
  });
}
