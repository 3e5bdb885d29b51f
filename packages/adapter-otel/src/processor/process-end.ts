const work = new Set<() => void>();
let listens = false;

/**
 * Runs work when the process ends by itself: natural end, `process.exit`, uncaught throw. One `exit`
 * listener serves all processors, and leaves with the last of them.
 *
 * @returns takes the work back
 */
export function atProcessEnd(run: () => void): () => void {
  work.add(run);
  if (!listens) process.on("exit", runAll);
  listens = true;
  return () => {
    work.delete(run);
    if (work.size > 0 || !listens) return;
    process.off("exit", runAll);
    listens = false;
  };
}

function runAll(): void {
  for (const run of work) {
    try {
      run();
    } catch {
      // A throw here would change the exit code of the host.
    }
  }
}
