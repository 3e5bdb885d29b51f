/**
 * The command an action runs: its first word, without the folder it lies in. `NAME=value` before it sets the
 * environment, and a value there may be a secret, so it is passed over.
 */
export function commandName(action: string): string {
  const words = action.trim().split(/\s+/, 20);
  const command = words.find((word) => !/^[A-Za-z_]\w*=/.test(word)) ?? "";
  const name = (command.split("/").at(-1) ?? "").replace(/[^\w.+-]+/g, "");
  return name.slice(0, 60);
}
