import type { RecordPlace } from "../../errors/index.ts";
import { isJsonObject, type Block, type Step, type Trajectory } from "../../schema/index.ts";
import { messageText, type ChatMessage } from "../chat/chat-message.ts";
import { conversationBlocks, newConversation } from "../chat/message-blocks.ts";
import { readMessage } from "../chat/read-message.ts";
import { foreignTrajectory } from "../foreign-run.ts";
import { costOf, foreignStep } from "../foreign-step.ts";
import { parseImportLine, type ImportLines } from "../import-line.ts";
import { createImportRun, type ImportLog, type ImportRun } from "../import-run.ts";
import { StateChain } from "../state-chain.ts";
import { uniqueIds } from "../unique-ids.ts";
import { commandName } from "./command-name.ts";
import { environmentBlock, environmentStates, stateTime } from "./environment-state.ts";
import { sweAgentRecord, type SweAgentRecord, type SweAgentTurn } from "./swe-agent-record.ts";

export interface SweAgentOptions {
  /** The task's question. Default: the first message of the user that is no demonstration. */
  question?: string;
}

/**
 * `.traj` files of SWE-agent (Yang et al., 2024), 0.x and 1.x, one a document. A step is a turn: thought, action,
 * observation; its type is the command. States are the system prompt, the issue and the turns so far, with
 * the environment's state (open file, working directory) wherever it changed: 0.x keeps it as text taken
 * before the action, 1.x as an object taken after it.
 *
 * Demonstrations are left out. `info.exit_status` is kept for the owner, `info.submission` is not kept; what
 * the agent's own `submit` printed is its last observation.
 *
 * Warnings: `demonstrations_dropped`, `no_question`, `no_steps`, `no_candidates`, `repeated_id`,
 * `repeated_record`.
 *
 * @throws InvalidRecordError for a document without a list of turns
 */
export function importSweAgent(documents: ImportLines, options: SweAgentOptions = {}): ImportRun {
  return createImportRun("swe-agent", (log) => generate(documents, options, log));
}

async function* generate(
  documents: ImportLines,
  options: SweAgentOptions,
  log: ImportLog,
): AsyncGenerator<Trajectory> {
  const unique = uniqueIds(log);
  for await (const line of documents) {
    log.read();
    const record = parseImportLine(line, sweAgentRecord);
    const id = unique(nameOf(record, line.place), line.place, record);
    if (id !== undefined) yield trajectoryOf(record, id, options, line.place, log);
  }
}

/** The instance's name, which is the file's; the same in a list of several is told apart by its line. */
function nameOf({ instance_id: instance }: SweAgentRecord, { source, line }: RecordPlace): string {
  const file = (source.split(/[/\\]/).at(-1) ?? "").replace(/\.(traj|json|jsonl)$/, "");
  const own = typeof instance === "string" && instance !== "" ? instance : file;
  return `swe-agent/${own}${line > 1 && own === file ? `/${line}` : ""}`;
}

function trajectoryOf(
  record: SweAgentRecord,
  id: string,
  options: SweAgentOptions,
  place: RecordPlace,
  log: ImportLog,
): Trajectory {
  const { trajectory: turns, info } = record;
  const prompt = promptOf(record, id, place, log);
  const asked = prompt.find(({ role }) => role === "user");
  const question = options.question ?? (asked === undefined ? "" : messageText(asked));
  const time = stateTime(turns);
  const environment = environmentStates(turns, time);
  const opening = conversationBlocks(prompt, newConversation(question));
  if (environment.opening !== undefined) opening.push(environmentBlock(environment.opening));
  const chain = StateChain.of(opening);
  const steps = stepsOf(turns, environment, chain);
  const ended = info?.["exit_status"];
  return foreignTrajectory(
    {
      id,
      adapter: "swe-agent",
      question,
      domain: "software engineering",
      chain,
      steps,
      origin: { source: "messages", fidelity: "reconstructed" },
      metadata: {
        ...(typeof ended === "string" && { exit_status: ended }),
        ...(time !== undefined && { environment_state: time }),
      },
      ...(ended === "submitted" && { status: "complete" }),
    },
    place,
    log,
  );
}

function stepsOf(
  turns: readonly SweAgentTurn[],
  environment: { opening: string | undefined; after: (string | undefined)[] },
  chain: StateChain,
): Step[] {
  let shown = environment.opening;
  return turns.map((turn, index): Step => {
    const type = commandName(turn.action ?? "") || "think";
    const blocks = turnBlocks(turn, type);
    const now = environment.after[index];
    if (now !== undefined && now !== shown) blocks.push(environmentBlock((shown = now)));
    const seconds = turn.execution_time;
    const cost = costOf({
      latency_ms: seconds == null ? undefined : seconds * 1000,
      tool_calls: type === "think" ? 0 : 1,
    });
    return foreignStep({ stepId: `turn-${index}`, index, type, cost }, chain.add(blocks), chain);
  });
}

function turnBlocks({ action, observation, thought, response }: SweAgentTurn, type: string): Block[] {
  const acts = (action ?? "").trim() !== "";
  // What the model wrote holds thought and action; where the thought stands alone, that is better.
  const said = thought ?? (acts ? "" : (response ?? ""));
  return [
    ...(said.trim() === "" ? [] : [{ kind: "reasoning", name: "assistant", text: said.trim() } as const]),
    ...(acts ? [{ kind: "tool_call", name: type, text: action! } as const] : []),
    ...(observation == null ? [] : [{ kind: "evidence", name: type, text: observation } as const]),
  ];
}

/** What the agent was told before its first turn: system prompt and task, demonstrations left out. */
function promptOf(record: SweAgentRecord, id: string, place: RecordPlace, log: ImportLog): ChatMessage[] {
  const [first] = record.trajectory;
  const told = record.history ?? (Array.isArray(first?.query) ? first.query : []);
  const prompt: ChatMessage[] = [];
  let demonstrations = 0;
  for (const value of told) {
    if (isJsonObject(value) && isDemonstration(value)) {
      demonstrations += 1;
      continue;
    }
    const read = readMessage(value) ?? [];
    if (read.some(({ role }) => role !== "system" && role !== "user")) break;
    prompt.push(...read);
    if (read.some(({ role }) => role === "user")) break;
  }
  if (demonstrations > 0) {
    log.warn(
      "demonstrations_dropped",
      `${id}: ${demonstrations} messages of demonstrations are in no state`,
      place,
    );
  }
  return prompt;
}

function isDemonstration(message: Record<string, unknown>): boolean {
  return message["is_demo"] === true || message["message_type"] === "demonstration";
}
