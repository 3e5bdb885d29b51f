import {
  AsvError,
  AUDIT_CHANNELS,
  showValue,
  type IndexedProtocol,
  type ScoreIndex,
} from "@agent-step-value/sdk";
import { printable } from "../terminal/table.ts";

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
 * The channels to compare. Without a word from the user the baseline is `direct`, the first one where several
 * protocols bear that name, or else the first protocol in the files, and the channels are all the others.
 *
 * @throws AsvError `invalid_argument` for a channel that is not there or not clear, or if only one is there
 */
export function chooseChannels(
  index: ScoreIndex,
  asked: { baseline?: string | undefined; channels?: readonly string[] | undefined },
): ChosenChannels {
  const all = namedChannels(index);
  const baseline =
    asked.baseline === undefined ? (preset(all, "direct") ?? all[0]!) : find(all, asked.baseline);
  const channels =
    asked.channels === undefined
      ? all.filter((channel) => channel !== baseline)
      : [...new Set(asked.channels.map((name) => find(all, name)))];
  if (channels.length > 0) return { baseline, channels };
  throw needsTwo(all, "a comparison", ", or name the same one twice (--baseline X --channel X)");
}

function needsTwo(all: readonly Channel[], what: string, otherwise = ""): AsvError {
  return new AsvError(
    "invalid_argument",
    `The score files hold one protocol, ${listed(all)}; ${what} needs two. Score the same trajectories with another ` +
      `one (asv score --protocol …) and give both score files${otherwise}.`,
  );
}

/** The protocol that alone has a name, or the first of those that share it. */
function preset(all: readonly Channel[], name: string): Channel | undefined {
  return all.find((channel) => channel.name === name) ?? all.find(({ protocol }) => protocol.name === name);
}

/** What an audit is between, by the names of its channels. */
export interface AuditChoice {
  baseline: string;
  contrast: string;
  /** Channels of the audit's table to look for: those that no protocol of the score files is. */
  expected: string[];
}

/**
 * Baseline and contrast of an audit, each by default the first protocol of the preset it is named after
 * (`direct`, `rationale-128`), or else the first other one.
 *
 * @throws AsvError `invalid_argument` for a channel that is not there or not clear, or if only one is there
 */
export function chooseAudit(
  all: readonly Channel[],
  asked: { baseline?: string | undefined; contrast?: string | undefined },
): AuditChoice {
  if (all.length < 2) throw needsTwo(all, "an audit");
  const contrast = asked.contrast === undefined ? undefined : find(all, asked.contrast);
  const others = (taken: Channel | undefined) => all.filter((channel) => channel !== taken);
  const baseline =
    asked.baseline === undefined
      ? (preset(others(contrast), "direct") ?? others(contrast)[0]!)
      : find(all, asked.baseline);
  if (contrast === baseline) {
    throw new AsvError(
      "invalid_argument",
      `The contrast ${showValue(asked.contrast)} is the baseline itself; the score files hold ${listed(all)}.`,
    );
  }
  const given = new Set(all.map(({ protocol }) => protocol.name));
  return {
    baseline: baseline.name,
    contrast: (contrast ?? preset(others(baseline), "rationale-128") ?? others(baseline)[0]!).name,
    expected: AUDIT_CHANNELS.filter((name) => !given.has(name)),
  };
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
      name.includes(protocolId) ? printable(name) : `${printable(name)} (${protocolId})`,
    )
    .join(", ");
}
