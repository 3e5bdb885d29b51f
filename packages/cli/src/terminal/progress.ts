import { Presets, SingleBar } from "cli-progress";

/** What a long command tells while it works. */
export interface Progress {
  update(done: number, total: number | undefined, note: string): void;
  /** Clears a bar or prints the last line. */
  stop(): void;
}

const LINE_EVERY_MS = 5000;

/** A bar on a terminal, a line every five seconds elsewhere, nothing when `quiet`. Always on stderr. */
export function createProgress(label: string, stderr: NodeJS.WriteStream, quiet: boolean): Progress {
  if (quiet) return { update: () => {}, stop: () => {} };
  return stderr.isTTY ? barProgress(label, stderr) : lineProgress(label, stderr);
}

function barProgress(label: string, stderr: NodeJS.WriteStream): Progress {
  const bar = new SingleBar(
    {
      format: `${label} {bar} {value}/{total} {note}`,
      stream: stderr,
      clearOnComplete: true,
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  let started = false;
  return {
    update: (done, total, note) => {
      if (!started) bar.start(total ?? done, done, { note });
      started = true;
      if (total !== undefined) bar.setTotal(total);
      bar.update(done, { note });
    },
    stop: () => {
      if (started) bar.stop();
    },
  };
}

function lineProgress(label: string, stderr: NodeJS.WriteStream): Progress {
  let last = Date.now();
  return {
    update: (done, total, note) => {
      const now = Date.now();
      if (now - last < LINE_EVERY_MS) return;
      last = now;
      stderr.write(`${label} ${done}${total === undefined ? "" : `/${total}`} ${note}\n`);
    },
    stop: () => {},
  };
}
