import { AsvError, showValue, type IndexedProtocol, type ScoreIndex } from "@agent-step-value/sdk";

/** A protocol of the score files under a name that no other channel has. */
export interface Channel {
  name: string;
  protocol: IndexedProtocol;
}

/** What a comparison is between: every channel is held against the baseline. */
export interface ChosenChannels {
  baseline: Channel;
  channels: Channel[];
}

/**
 * The channels to compare. Without a word from the user the baseline is `direct`, or else the first protocol
 * in the files, and the channels are all the others.
 *
 * @throws AsvError `invalid_argument` for a channel that is not there or not clear, or if only one is there
 */
export function chooseChannels(
  index: ScoreIndex,
  asked: { baseline?: string | undefined; channels?: readonly string[] | undefined },
): ChosenChannels {
  const all = namedChannels(index);
  const baseline =
    asked.baseline === undefined
      ? (all.find(({ name }) => name === "direct") ?? all[0]!)
      : find(all, asked.baseline);
  const channels =
    asked.channels === undefined
      ? all.filter((channel) => channel !== baseline)
      : [...new Set(asked.channels.map((name) => find(all, name)))];
  if (channels.length > 0) return { baseline, channels };
  throw new AsvError(
    "invalid_argument",
    `The score files hold one protocol, ${listed(all)}; a comparison needs two. Score the same trajectories with another ` +
      "one (asv score --protocol …) and give both score files, or name the same one twice (--baseline X --channel X).",
  );
}

/** All protocols of the score files. Names that several protocols bear get their ids to them. */
export function namedChannels(index: ScoreIndex): Channel[] {
  const protocols = index.protocols();
  const uses = new Map<string, number>();
  for (const { name } of protocols) if (name !== undefined) uses.set(name, (uses.get(name) ?? 0) + 1);
  return protocols.map((protocol) => {
    const { name, protocolId } = protocol;
    if (name === undefined) return { name: protocolId, protocol };
    return { name: uses.get(name) === 1 ? name : `${name} ${protocolId}`, protocol };
  });
}

function find(all: readonly Channel[], asked: string): Channel {
  const matching = all.filter(
    ({ name, protocol }) => asked === name || asked === protocol.protocolId || asked === protocol.name,
  );
  const [only, another] = matching;
  if (only !== undefined && another === undefined) return only;
  throw new AsvError(
    "invalid_argument",
    `The score files hold ${only === undefined ? "no" : "more than one"} channel ${showValue(asked)}; they hold ${listed(all)}.`,
  );
}

function listed(all: readonly Channel[]): string {
  return all
    .map(({ name, protocol: { protocolId } }) =>
      name.includes(protocolId) ? name : `${name} (${protocolId})`,
    )
    .join(", ");
}
